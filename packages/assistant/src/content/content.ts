/** Search by meaning for the whole assistant: the index that the database allows, and the work that keeps it up to date. */
import type { EmbeddingPort, Meter } from '@countersign/agent'
import {
  type ContentQuery,
  type ContentServices,
  type EmbeddedTexts,
  entriesOf,
  type FoundContent,
} from '@countersign/contract'
import type { LimitedDb } from '@countersign/kernel'
import { sql } from 'kysely'
import type { AssistantContext } from '../assistant-context.ts'
import { createIndexer, type IndexedTexts, type Indexer } from '../memory/recall/indexer.ts'
import { openVectorIndex } from '../memory/recall/open-vector-index.ts'
import { tablesOf, type VectorIndex } from '../memory/recall/vector-index.ts'
import { dropFiles, findFileChanges, putFile, type WorkspaceTexts } from './files.ts'
import { contentLimits } from './limits.ts'
import { searchedMailboxes } from './mail/mailboxes.ts'
import { prune } from './prune.ts'
import { contentFacts, searchContent } from './search.ts'
import { digestPending, whatWaits } from './sources.ts'

export interface ContentOptions {
  readonly context: AssistantContext
  readonly embeddings: EmbeddingPort
  readonly backgroundMeter: Meter
  readonly files: WorkspaceTexts
  readonly redact: (text: string) => string
  /** There is an e-mail account that may have to be looked at. */
  readonly lookAtMail: () => void
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>
  /** How long until it looks for changed files again. */
  readonly filesEveryMs?: number
}

export interface Content {
  /** Within the transaction of a tool's call. */
  toolServices(db: LimitedDb): ContentServices
  /** For the operator: in a transaction of its own, with the vector that the caller has. */
  search(query: ContentQuery): Promise<readonly FoundContent[]>
  /** Turns texts into vectors for somebody who pays. */
  embed(texts: readonly string[], signal: AbortSignal, meter: Meter): Promise<EmbeddedTexts>
  /** One step of the work in the background. */
  step(): ReturnType<Indexer['step']>
  start(): void
  /** There may be something new. */
  wake(): void
  close(): Promise<void>
}

interface OpenedContent {
  readonly index: VectorIndex
  readonly indexer: Indexer
}

export function createContent(options: ContentOptions): Content {
  const { context, embeddings, files, redact } = options
  const { operator, records } = context
  const masked = maskedEmbeddings(embeddings, redact)
  const texts = contentTexts(options)
  let opening: Promise<OpenedContent> | undefined

  function open(): Promise<OpenedContent> {
    opening ??= openVectorIndex(context, {
      kind: 'content',
      onProblem: context.onProblem,
      mostBytes: 536_870_912,
    }).then((index) => ({
      index,
      indexer: createIndexer({
        context,
        index,
        embeddings: masked,
        meter: options.backgroundMeter,
        wait: options.wait,
        texts,
        // What was said a moment ago is found by its words meanwhile.
        settleMs: 5_000,
      }),
    }))
    return opening
  }

  async function searchIn(db: LimitedDb, query: ContentQuery): Promise<readonly FoundContent[]> {
    const { index } = await open()
    return searchContent(db, { operator, index, files }, query)
  }

  return {
    toolServices: (db) => ({
      search: (query) => searchIn(db, query),
      async keep(collection, vectors, model) {
        const { index } = await open()
        await keepEntries(db, index, { operator, collection, vectors, model })
      },
      mailboxes: async () =>
        (await searchedMailboxes({ db, operator }))
          .filter(({ searchable }) => searchable)
          .map(({ account }) => account)
          .toSorted(),
      facts: () => contentFacts(db, operator),
    }),
    async search(query) {
      // What was said a moment ago is found by its words, though nobody has come to embed it.
      await records.change(operator, ({ db }) => digestPending(db, operator))
      return records.read(operator, ({ db }) => searchIn(db, query))
    },
    async embed(given, signal, meter) {
      const answer = await masked.embed(given, signal, meter)
      if (answer.kind === 'embedded')
        return { kind: 'embedded', model: answer.model, vectors: answer.vectors }
      return { kind: 'failed', reason: answer.kind === 'failed' ? answer.failure.message : answer.reason }
    },
    step: async () => (await open()).indexer.step(),
    start() {
      open().then(({ indexer }) => indexer.start(), context.onProblem)
    },
    wake() {
      opening?.then(({ indexer }) => indexer.wake(), context.onProblem)
    },
    async close() {
      const opened = await opening
      await opened?.indexer.stop()
      await opened?.index.close()
    },
  }
}

/** No secret goes to a model, whoever runs it. */
function maskedEmbeddings(embeddings: EmbeddingPort, redact: (text: string) => string): EmbeddingPort {
  return { embed: (texts, signal, meter) => embeddings.embed(texts.map(redact), signal, meter) }
}

async function keepEntries(
  db: LimitedDb,
  index: VectorIndex,
  {
    operator,
    collection,
    vectors,
    model,
  }: {
    readonly operator: AssistantContext['operator']
    readonly collection: string
    readonly vectors: Parameters<ContentServices['keep']>[1]
    readonly model: string
  },
): Promise<void> {
  const { rows } = await sql<{ id: string; source: string; revision: number }>`
    select id, source, revision from content_index
    where operator_id = ${operator} and type = ${entriesOf(collection)}
      and source = any (${vectors.map(({ id }) => id)}::text[])`.execute(db)
  const made = new Map(vectors.map(({ id, vector }) => [id, vector]))
  const kept = rows.flatMap(({ id, source, revision }) => {
    const vector = made.get(source)
    return vector ? [{ memory: id, revision, model, vector }] : []
  })
  await index.upsert(db, operator, kept)
}

/** What is embedded in the background, and what comes before: pieces of what is new, of changed files, and what leaves. */
function contentTexts({
  context,
  embeddings,
  files,
  lookAtMail,
  filesEveryMs = 60_000,
}: ContentOptions): IndexedTexts {
  const { operator, records, clock, onProblem } = context
  let filesAt = 0
  let prunedAt = 0

  async function digest(): Promise<boolean> {
    const waiting = await records.single(operator, ({ db }) => whatWaits(db, operator))
    if (waiting.mail) lookAtMail()
    if (!waiting.texts) return false
    const { value } = await records.change(operator, ({ db }) => digestPending(db, operator))
    return value > 0
  }

  async function readFiles(): Promise<boolean> {
    const now = clock().getTime()
    if (now - filesAt < filesEveryMs) return false
    const present = await files.list()
    const { gone, changed } = await records.read(operator, ({ db }) => findFileChanges(db, operator, present))
    const read = await Promise.all(changed.map(async (path) => ({ path, file: await files.read(path) })))
    const isChanged = gone.length > 0 || changed.length > 0
    if (isChanged)
      await records.change(operator, async ({ db }) => {
        const lost = read.flatMap(({ path, file }) => (file ? [] : [path]))
        await dropFiles(db, operator, [...gone, ...lost])
        for (const { path, file } of read) if (file) await putFile(db, operator, path, file)
      })
    // A full batch may not have been all of them.
    if (changed.length < contentLimits.files) filesAt = now
    return changed.length > 0
  }

  async function pruneDaily(): Promise<void> {
    const now = clock()
    if (now.getTime() - prunedAt < 86_400_000) return
    await records.change(operator, ({ db }) => prune(db, operator, now, contentLimits))
    prunedAt = now.getTime()
  }

  return {
    tables: tablesOf('content'),
    rows: {
      from: sql`where`,
      // A piece of a note, a file or an e-mail is told with its name, which often says what it is about.
      content: sql`case when m.type in ('notes', 'files', 'emails') and m.title not in ('', m.text)
        then m.title || chr(10) || m.text else m.text end`,
    },
    async allowed() {
      // Files and e-mails that nobody has shown to a provider stay on this machine.
      return (await embeddings.isLocal?.()) === true ? sql`true` : sql`type not in ('files', 'emails')`
    },
    async first() {
      await pruneDaily()
      if (await digest()) return true
      return readFiles().catch((problem: unknown) => {
        filesAt = clock().getTime()
        onProblem(problem)
        return false
      })
    },
  }
}
