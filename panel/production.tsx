export { type DogearDevtoolsProps, FloatingDevtools as DogearDevtools } from './FloatingDevtools.tsx'
export { branchSource, type PanelSource } from './source.ts'
