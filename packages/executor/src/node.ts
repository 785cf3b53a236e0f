/** What a node reuses: the verification of permits, the memory of their use, and the sandbox. */
export { type Clocks, createPermitClock, systemClocks } from './clock.ts'
export { sandboxEnvironment, sandboxLimits } from './confinement.ts'
export { executePermit, type ToolRuns } from './execute.ts'
export { createHostFiles } from './host-files.ts'
export { createInspector, refusalText, type Workspace } from './inspector.ts'
export { verifyPasskey } from './passkey.ts'
export { createPrograms } from './programs.ts'
export { openReplayStore, type ReplayStore } from './replay-store.ts'
export { probeBubblewrap } from './sandbox/bubblewrap.ts'
export { createFileAgent, type FileAgent } from './sandbox/files.ts'
export type { Sandbox, SandboxProbe } from './sandbox/port.ts'
export { openStatementMemory } from './statement-memory.ts'
export { type TrustedKeys, type TrustSource, watchTrust } from './trust.ts'
export {
  leastTier,
  type PermitCheck,
  type PermitChecks,
  type PermittedCall,
  type PermitWorld,
  permitChecks,
} from './verify.ts'
