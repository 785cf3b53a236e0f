/** The part of the typed client that speaks of the files that agents are told. */
import type { z } from 'zod'
import type { AcceptToldFile } from '../api-agent-files.ts'
import type { Call } from './call.ts'

/** Loaded with the first call, as those of e-mail. */
const routes = async () => (await import('../routes/agent-files.ts')).agentFileRoutes

export function agentFileCalls(call: Call) {
  return {
    toldFiles: async () => call((await routes()).toldFiles),
    toldFileContent: async (path: string) => call((await routes()).toldFileContent, { query: { path } }),
    acceptToldFile: async (file: z.input<typeof AcceptToldFile>) =>
      call((await routes()).acceptToldFile, { body: file }),
    removeToldFile: async (path: string) => call((await routes()).removeToldFile, { query: { path } }),
  }
}
