export { DogearDevtools } from './DogearDevtools.tsx'
export { DogearPanel, type DogearPanelProps } from './DogearPanel.tsx'
export { type DevtoolsOptions, mountDevtools } from './devtools.ts'
export type { DogearDevtoolsProps } from './FloatingDevtools.tsx'
export { type MountOptions, mountPanel } from './mount.tsx'
export {
  branchSource,
  type CommandReply,
  type CommandResult,
  type CommandType,
  type PanelCommand,
  type PanelSnapshot,
  type PanelSource,
  type Restored,
} from './source.ts'
