export { type OpenedBranch, useBranch } from './react-branch.ts'
export { useFolds } from './react-folds.ts'
export { type ContextMeter, useContextMeter } from './react-meter.ts'
