import { fileURLToPath } from 'node:url'

export * from './client.ts'
export type {
  AskForPermit,
  ExecuteOptions,
  LostExecutor,
  PermitOutcome,
  WorkForPermit,
} from './client-execute.ts'
export { systemClocks } from './clock.ts'
export { createEgress, defaultEgressLimits } from './egress/egress.ts'
export { isPublicHost } from './egress/public-host.ts'
export type { ExecutorOptions } from './executor.ts'
export {
  type ClientFound,
  type ClientWish,
  createServerOAuthFinder,
  type ServerOAuthFinder,
} from './oauth/find-server-oauth.ts'
export {
  type Asker,
  type BrowserSignIn,
  createOAuthServer,
  type DeviceSignIn,
  type OAuthServer,
  type Tokens,
} from './oauth/oauth-server.ts'
export { passkeyVerifier, registeredKey, verifyPasskey } from './passkey.ts'
export { createRecordExecutor } from './record-executor.ts'
export { openStatementMemory, type StatementMemory } from './statement-memory.ts'
export { type TrustedKeys, type TrustFiles, type TrustSource, watchTrust } from './trust.ts'
export * from './vault/index.ts'
export { checkSeal } from './verify.ts'

/** Where the executor process starts when it runs from source. A bundle names its own file. */
export const executorMainPath = fileURLToPath(new URL('./main.ts', import.meta.url))
