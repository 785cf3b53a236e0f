/** The part of the typed client by which the operator keeps programs. */
import type { AddProgram, ChangeProgram } from '../api-programs.ts'
import type { Call } from './call.ts'

/** Loaded with the first call, as those of channels. */
const routes = async () => (await import('../routes/programs.ts')).programRoutes

export function programCalls(call: Call) {
  return {
    programs: async () => call((await routes()).programs),
    addProgram: async (program: AddProgram) => call((await routes()).addProgram, { body: program }),
    changeProgram: async (name: string, change: ChangeProgram) =>
      call((await routes()).changeProgram, { params: { name }, body: change }),
    rotateProgram: async (name: string) => call((await routes()).rotateProgram, { params: { name } }),
    revokeProgram: async (name: string) => call((await routes()).revokeProgram, { params: { name } }),
  }
}
