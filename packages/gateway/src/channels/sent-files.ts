/** Owns which files go along with an answer: those that the run was allowed to send, as they were then. */
import type { CallId, RunId } from '@countersign/contract'
import type { RecordTransaction } from '@countersign/kernel'
import type { LetterFile } from './tables.ts'
import { channelDb } from './tables.ts'

const sending = 'send_file'
const mostFiles = 20

export interface SentFile extends LetterFile {
  /** Each is sent once, however often the run answers. */
  readonly call: CallId
}

export async function filesSentBy({ db }: Pick<RecordTransaction, 'db'>, run: RunId): Promise<SentFile[]> {
  const calls = await channelDb(db)
    .selectFrom('calls')
    .select(['id', 'permit'])
    .where('run_id', '=', run)
    .where('tool', '=', sending)
    .where('outcome', '=', 'ok')
    .orderBy('turn')
    .orderBy('position')
    .limit(mostFiles)
    .execute()
  return calls.flatMap(({ id, permit }) => {
    const [file] = permit?.subject.resources.filter((each) => each.type === 'file') ?? []
    return file?.content ? [{ call: id, path: file.path, sha256: file.content }] : []
  })
}
