/** Owns the table of the routes of runs. */
import { z } from 'zod'
import { Receipt, RetriedRun, RetryRun, RunDetail, RunView, UndoReply, UndoRun, Why } from '../api.ts'
import { RunId, SessionId, ShortIdKind, ShortIds } from '../ids.ts'
import { define } from './define.ts'

const one = { params: z.object({ id: RunId }) }

export const runRoutes = {
  runs: define('get', '/v1/runs', 'Runs, newest first.', z.array(RunView), {
    query: z.object({
      session: SessionId.optional(),
      state: z.enum(['running', 'parked', 'stopped']).optional(),
    }),
  }),
  run: define('get', '/v1/runs/{id}', 'One run with its calls.', RunDetail, one),
  stopRun: define('post', '/v1/runs/{id}/stop', 'Stops a run.', Receipt, one),
  pauseRun: define(
    'post',
    '/v1/runs/{id}/pause',
    'Pauses a run before its next model call or action. Its requests wait.',
    Receipt,
    one,
  ),
  resumeRun: define('post', '/v1/runs/{id}/resume', 'Lets a paused run go on.', Receipt, one),
  retryRun: define(
    'post',
    '/v1/runs/{id}/retry',
    'Tries the model of a waiting run again now; of a run that is over, or in another session, sends its message once more.',
    RetriedRun,
    { ...one, body: RetryRun },
  ),
  undoRun: define(
    'post',
    '/v1/runs/{id}/undo',
    'Undoes the effects of a run, as far as possible.',
    UndoReply,
    { ...one, body: UndoRun },
  ),
  ids: define('get', '/v1/ids', 'Your ids that begin or end with a part, newest first.', ShortIds, {
    query: z.object({ part: z.string().regex(/^[0-9a-f]{4,32}$/), kind: ShortIdKind.optional() }),
  }),
  why: define('get', '/v1/why', 'The chain from an effect back to a person.', Why, {
    query: z.object({ ref: z.string().min(1).max(500) }),
  }),
}
