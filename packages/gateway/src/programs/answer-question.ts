/**
 * Owns how a program gets the answer to a question: it is admitted under its own key, and its run is followed until it
 * ends, waits for the operator, or takes too long. Whoever is gone meanwhile may ask again; the run goes on.
 */
import { type Label, type OperatorId, programRequester, type RunId } from '@countersign/contract'
import type { Delta, Kernel } from '@countersign/kernel'
import { putOutError } from './open-streams.ts'
import type { PlacedQuestion } from './place-question.ts'
import { currentProgram, heldProgram, type Program } from './program-rows.ts'
import {
  type Standing,
  standingOf,
  stillWaitingWords,
  type Usage,
  usageOf,
  waitingWords,
} from './standing.ts'
import { programDb, type Told } from './tables.ts'
import { hashAfter, openingText, type Wish } from './wish.ts'

export interface AnswerParts {
  readonly kernel: Pick<Kernel, 'admit' | 'stream' | 'records'>
  readonly operator: OperatorId
  /** Left out, as long as clients usually wait. */
  readonly patienceMs?: number | undefined
}

export interface AnswerEnd {
  readonly text: string
  readonly told: Exclude<Told, 'no'>
  readonly usage: Usage
  /** Says that it was handed over: from then on the same words are another question. */
  handedOver(): Promise<void>
}

export interface AnswerWish {
  readonly program: Program
  readonly wish: Wish
  readonly placed: PlacedQuestion
  /** Told each piece as it comes. */
  readonly say: (text: string) => void
  readonly signal: AbortSignal
}

const usualPatienceMs = 5 * 60_000
const longestTitle = 60

export async function answerQuestion(parts: AnswerParts, asked: AnswerWish): Promise<AnswerEnd> {
  const { kernel, operator } = parts
  const { program, placed, signal } = asked
  const inbox = createInbox(placed, program)
  const { stop } = await kernel.stream.listen(operator, inbox)
  signal.addEventListener('abort', inbox.wake, { once: true })
  let text = ''
  const say = (piece: string) => {
    if (piece === '') return
    text += piece
    asked.say(piece)
  }
  try {
    const before = await endOfEarlier(parts, program, placed)
    if (before !== undefined && placed.inputKey !== null) say(`${before}\n\n`)
    const standing =
      placed.inputKey === null
        ? await earlierStanding(parts, program, placed)
        : await followed(parts, asked, inbox, say)
    say(wordsFor(standing, placed, inbox.shown(), before))
    const told = standing.kind === 'ended' ? 'end' : 'waiting'
    const run = 'run' in standing ? standing.run : null
    const usage = await kernel.records.read(operator, (tx) => usageOf(tx, run))
    const handedOver = () => keepTold(parts, asked, { told, text, toldBefore: before !== undefined })
    return { text, told, usage, handedOver }
  } finally {
    stop()
    signal.removeEventListener('abort', inbox.wake)
  }
}

/** What is left to be said at the end; what was shown live is not said again. */
function wordsFor(
  standing: Standing,
  placed: PlacedQuestion,
  shown: string,
  before: string | undefined,
): string {
  if (placed.inputKey === null)
    return standing.kind === 'waits'
      ? stillWaitingWords(standing)
      : standing.kind === 'ended'
        ? (before ?? standing.text)
        : waitingWords(standing)
  const space = shown === '' ? '' : '\n\n'
  if (standing.kind !== 'ended') return `${space}${waitingWords(standing)}`
  return standing.isWell && standing.text.startsWith(shown.trim())
    ? standing.text.slice(shown.trim().length)
    : `${space}${standing.text}`
}

type Inbox = ReturnType<typeof createInbox>

/** What is heard of the conversation while it is followed. */
function createInbox(placed: PlacedQuestion, program: Program) {
  let woken = Promise.withResolvers<void>()
  let isNew = true
  let run: RunId | undefined
  let deltas: Delta[] = []
  /** What was shown of the turn that is under way. */
  let shown = ''
  let turn = 0
  const wake = () => {
    isNew = true
    woken.resolve()
  }
  return {
    wake,
    events(events: readonly { readonly body: object }[]) {
      if (events.some(({ body }) => !('session' in body) || body.session === placed.session)) wake()
    },
    delta(delta: Delta) {
      // Of one who hears nothing private it is known only at the end whether the words are for them.
      if (!program.private || delta.session !== placed.session || delta.kind !== 'text') return
      deltas.push(delta)
      woken.resolve()
    },
    shown: () => shown,
    hasDeltas: () => deltas.length > 0,
    follows(followed: RunId) {
      run = followed
    },
    /** Whether something happened since it was asked last. */
    takeNews(): boolean {
      const news = isNew
      isNew = false
      return news
    },
    /** The live words of the run, each turn told apart. A second try of a turn is not shown: it begins anew. */
    takeDeltas(): string {
      const mine = deltas.filter((delta) => delta.run === run && delta.attempt === 0)
      deltas = run === undefined ? deltas : []
      let text = ''
      for (const delta of mine) {
        if (delta.turn !== turn) {
          if (shown !== '') text += '\n\n'
          shown = ''
          turn = delta.turn
        }
        shown += delta.text
        text += delta.text
      }
      return text
    },
    async wait(ms: number): Promise<void> {
      await atMost(ms, woken.promise)
      woken = Promise.withResolvers<void>()
    },
  }
}

async function atMost(ms: number, done: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms)
  })
  await Promise.race([done, late])
  clearTimeout(timer)
}

async function followed(
  parts: AnswerParts,
  asked: AnswerWish,
  inbox: Inbox,
  say: (text: string) => void,
): Promise<Standing> {
  const { program, placed, signal } = asked
  const inputKey = placed.inputKey ?? ''
  await admit(parts, asked, inputKey)
  const until = Date.now() + (parts.patienceMs ?? usualPatienceMs)
  let standing: Standing = { kind: 'queued', isPaused: false }
  for (;;) {
    signal.throwIfAborted()
    if (inbox.takeNews()) {
      standing = await standingNow(parts, program, inputKey)
      if ('run' in standing) inbox.follows(standing.run)
    }
    if (inbox.hasDeltas() && 'run' in standing && (await mayShow(parts, program, standing.run)))
      say(inbox.takeDeltas())
    const isPaused = standing.kind === 'queued' && standing.isPaused
    if (standing.kind === 'ended' || standing.kind === 'waits' || isPaused) return standing
    const left = until - Date.now()
    if (left <= 0) return standing
    await inbox.wait(left)
  }
}

async function admit({ kernel, operator }: AnswerParts, asked: AnswerWish, key: string): Promise<void> {
  const { program, wish, placed } = asked
  const requester = programRequester(program.name)
  await kernel.admit(operator, {
    key,
    session: null,
    opens: placed.session,
    title: `${program.name} · ${wish.words}`.slice(0, longestTitle).toWellFormed(),
    text: (placed.opens ? openingText(program.name, wish) : wish.words).toWellFormed(),
    mode: 'auto',
    requester: { kind: 'peer', id: requester },
    label: labelOf(program),
    async answeredBy(tx) {
      // Whoever puts it out waits for the end of this transaction.
      const now = await heldProgram(tx, program.name)
      if (now === undefined || now.paused || now.tokenHash !== program.tokenHash) throw putOutError()
      return { agent: wish.agent, goal: null, schedule: null, unattended: false }
    },
    by: { kind: 'gateway', id: requester },
  })
}

/** What the words of a program are worth: never the operator's own. */
export function labelOf({ name, role }: Pick<Program, 'name' | 'role'>): Label {
  return {
    integrity: role === 'trusted' ? 'paired' : 'untrusted',
    confidentiality: 'public',
    sources: [`program ${name}`],
  }
}

/** What is secret by now is shown to nobody, not even by the half. */
function mayShow({ kernel, operator }: AnswerParts, program: Program, run: RunId): Promise<boolean> {
  return kernel.records.read(operator, async (tx) => {
    const now = await currentProgram(tx, program)
    const row = await tx.db.selectFrom('runs').select('label').where('id', '=', run).executeTakeFirst()
    return now.private && row !== undefined && row.label.confidentiality !== 'secret'
  })
}

/** For who the program is by now: what it may hear, and whether it is let in, may have changed while it waited. */
function standingNow({ kernel, operator }: AnswerParts, program: Program, key: string): Promise<Standing> {
  return kernel.records.read(operator, async (tx) => standingOf(tx, await currentProgram(tx, program), key))
}

/** How the one before it ended, where the program was not told; undefined where there is nothing to tell. */
async function endOfEarlier(
  parts: AnswerParts,
  program: Program,
  { before }: PlacedQuestion,
): Promise<string | undefined> {
  if (before === null) return undefined
  const standing = await standingNow(parts, program, before.inputKey)
  return standing.kind === 'ended' ? `About what you asked before: ${standing.text}` : undefined
}

async function earlierStanding(
  parts: AnswerParts,
  program: Program,
  { before }: PlacedQuestion,
): Promise<Standing> {
  if (before === null) return { kind: 'queued', isPaused: false }
  return standingNow(parts, program, before.inputKey)
}

async function keepTold(
  { kernel, operator }: AnswerParts,
  { program, wish, placed }: AnswerWish,
  { told, text, toldBefore }: { readonly told: Told; readonly text: string; readonly toldBefore: boolean },
): Promise<void> {
  await kernel.records.change(operator, async ({ db }) => {
    const rows = programDb(db)
    await rows
      .updateTable('program_questions')
      // Told of the one before it, there is nothing left to tell of this one.
      .set({ told: placed.inputKey === null ? 'end' : told, after_hash: hashAfter(program.name, wish, text) })
      .where('program', '=', program.name)
      .where('id', '=', placed.id)
      .execute()
    if (toldBefore && placed.before)
      await rows
        .updateTable('program_questions')
        .set({ told: 'end' })
        .where('program', '=', program.name)
        .where('id', '=', placed.before.id)
        .execute()
  })
}
