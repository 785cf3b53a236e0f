/**
 * Owns the embedding process's end of the channel: batches in their order, one text at a time. Refuses to outlive its
 * parent, however that ended.
 */
import type { FromWorker, ToWorker } from './message.ts'

/** The text's vector may take its time, but must give way to what comes in. */
export function serve(vectorOf: (text: string) => Promise<Float32Array>): void {
  const wanted = new Set<number>()
  let last: Promise<void> = Promise.resolve()

  async function embed(id: number, texts: readonly string[]): Promise<void> {
    try {
      const vectors: Float32Array[] = []
      for (const text of texts) {
        if (!wanted.has(id)) return send({ kind: 'dropped', id })
        vectors.push(await vectorOf(text))
      }
      send({ kind: 'embedded', id, vectors })
    } catch (error) {
      send({ kind: 'failed', id, message: error instanceof Error ? error.message : String(error) })
    } finally {
      wanted.delete(id)
    }
  }

  // A terminal sends its interrupt to the whole group; only the parent decides.
  process.on('SIGINT', () => undefined)
  process.once('disconnect', leave)
  process.on('message', (message: ToWorker) => {
    if (message.kind === 'drop') wanted.delete(message.id)
    else {
      wanted.add(message.id)
      last = last.then(() => embed(message.id, message.texts))
    }
  })
  // The parent may be gone before anyone listened for that.
  if (!process.connected) leave()
}

function send(message: FromWorker): void {
  if (process.connected) process.send?.(message, undefined, undefined, () => undefined)
}

/** There is nothing to tidy, and a native engine may hang or crash where it tidies. */
function leave(): void {
  process.kill(process.pid, 'SIGKILL')
}
