/** What a workbench for tools needs of the executor: to open one that nobody else uses, and to press permits for it. */
export { describeTarget } from '../egress/target.ts'
export { type Executor, type ExecutorOptions, openExecutor } from '../executor.ts'
export { makePermit, type PermitMaker, subjectFor } from './scratch-permit.ts'
