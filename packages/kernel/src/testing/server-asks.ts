/** Owns a call of a server that is under way in a made store, and what the server asks during it. For tests and proofs. */
import { randomUUIDv7 } from 'node:crypto'
import type { Permit, QuestionId, Requester, ServerAsks, ServerReply } from '@countersign/contract'
import { askForServer } from '../approvals/server-questions.ts'
import type { MadeCall, MadeStore } from './made-store.ts'

const nonce = '0'.repeat(32)
const field = {
  kind: 'text',
  name: 'city',
  title: '',
  description: '',
  required: true,
  format: null,
  least: 0,
  most: 100,
  preset: null,
} as const
export const cityQuestion = {
  kind: 'form',
  form: { message: 'Which city?', fields: [field] },
} satisfies ServerAsks

export interface AskedQuestion {
  readonly reply: Promise<ServerReply>
  /** Nothing where nobody is asked. */
  readonly id: QuestionId | undefined
  /** What a stop, a time that is over or an answer elsewhere comes to. */
  end(): Promise<ServerReply>
}

/** `unattended` and `requester` are those of the run and of the call. */
export async function serverAsks(
  store: MadeStore,
  call: MadeCall,
  {
    asked = cityQuestion,
    requester = { kind: 'operator', id: 'desk' },
    unattended = false,
  }: { readonly asked?: ServerAsks; readonly requester?: Requester; readonly unattended?: boolean } = {},
): Promise<AskedQuestion> {
  await store.within(call.operator, async ({ db }) => {
    await db.updateTable('calls').set({ nonce, state: 'intended' }).where('id', '=', call.call).execute()
    await db.updateTable('runs').set({ unattended }).where('id', '=', call.run).execute()
  })
  const resources = [{ type: 'server-tool', server: 'booking', tool: 'book' }]
  const permit = { subject: { ...call, nonce, requester, resources } } as unknown as Permit
  const stop = new AbortController()
  const problems: unknown[] = []
  const shown = Promise.withResolvers<void>()
  const reply = askForServer(
    {
      store: {
        ...store,
        async transact(operator, work) {
          const committed = await store.transact(operator, work)
          shown.resolve()
          return committed
        },
      },
      stream: { listen: async () => ({ after: 0, stop: () => undefined }) },
      uuid: randomUUIDv7,
      onProblem: (problem) => problems.push(problem),
    },
    permit,
    asked,
    stop.signal,
  )
  await Promise.race([shown.promise, reply])
  const open = await store.read(call.operator, (db) =>
    db
      .selectFrom('questions')
      .select('id')
      .where('call_id', '=', call.call)
      .where('state', '=', 'open')
      .executeTakeFirst(),
  )
  return {
    reply,
    id: open?.id,
    async end() {
      stop.abort()
      const value = await reply
      if (problems.length > 0) throw problems[0]
      return value
    },
  }
}
