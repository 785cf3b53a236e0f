/** Owns the two processes beside the gateway: PostgreSQL and the executor, started together, or neither. */
import { getCompileCacheDir } from 'node:module'
import { dirname, join } from 'node:path'
import { executorKeyPath, ownFolders, prepareOwnFolder, speechPartFolder } from '@countersign/contract/node'
import { type ExecutorClient, startExecutor, type VaultPaths } from '@countersign/executor'
import type pg from 'pg'
import type { Config } from './config.ts'
import { startDatabase } from './database/database.ts'
import { databaseFromUrl } from './database/external-database.ts'

export interface RunningDatabase {
  readonly connection: pg.PoolConfig
  /** It was running already. */
  readonly adopted: boolean
  stop(): Promise<void>
}

export interface ProcessOptions {
  readonly config: Config
  readonly executorMain: string
  readonly vault: VaultPaths
  readonly log: (line: string) => void
}

/** What one of them opened is closed when the other fails. */
export async function startProcesses(options: ProcessOptions): Promise<[RunningDatabase, ExecutorClient]> {
  const [database, executor] = await Promise.allSettled([openDatabase(options), openExecutor(options)])
  if (database.status === 'fulfilled' && executor.status === 'fulfilled')
    return [database.value, executor.value]
  if (database.status === 'fulfilled') await database.value.stop()
  if (executor.status === 'fulfilled') await executor.value.close()
  throw database.status === 'rejected' ? database.reason : (executor as PromiseRejectedResult).reason
}

async function openDatabase({ config, log }: ProcessOptions): Promise<RunningDatabase> {
  if (config.databaseUrl) {
    const address = await databaseFromUrl(config.databaseUrl)
    return { connection: address.connection, adopted: false, stop: () => Promise.resolve() }
  }
  const database = await startDatabase({ dataDir: config.paths.database, runDir: config.paths.run, log })
  return { connection: database.connection, adopted: database.adopted, stop: () => database.stop() }
}

function openExecutor({ config, executorMain, vault, log }: ProcessOptions): Promise<ExecutorClient> {
  const { paths, localTargets } = config
  prepareOwnFolder(paths.executor)
  return startExecutor({
    mainPath: executorMain,
    compileCache: getCompileCacheDir(),
    bus: config.bus,
    options: {
      trustFile: paths.trust,
      devicesFile: paths.devices,
      keyFile: executorKeyPath(paths),
      replayFile: join(paths.executor, 'replay.sqlite'),
      workspace: paths.workspace,
      own: protectedFolders(paths),
      egress: { allowPrivate: [...localTargets], ports: [80, 443] },
      speechFolder: speechPartFolder(paths),
      passkeyTools: [...config.passkeyTools],
      codingAgents: config.codingAgents,
      sandbox: config.sandbox,
      vault,
    },
    onExit: ({ code, complaint }) => {
      if (code !== 0) log(`the executor ended (${code}) ${complaint}`.trim())
    },
  })
}

/** With the code that is kept compiled: whoever writes there writes what runs next. */
export function protectedFolders(paths: Config['paths']): string[] {
  const cache = getCompileCacheDir()
  return [...ownFolders(paths), ...(cache === undefined ? [] : [dirname(cache)])]
}
