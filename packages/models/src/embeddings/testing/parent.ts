/** A program that embeds and goes on living, to be killed: `parent.ts <folder> <worker> <text>`. It writes who works for it. */
import { pathToFileURL } from 'node:url'
import { createLocalEmbeddings } from '../local.ts'
import { memoryMeter } from './memory-meter.ts'

const [folder = '', worker = '', text = ''] = process.argv.slice(2)
const embeddings = createLocalEmbeddings({ folder, worker: pathToFileURL(worker) })
const { signal } = new AbortController()
const embedded = await embeddings.embed(['one'], signal, memoryMeter())
if (embedded.kind === 'embedded') process.stdout.write(`${embedded.vectors[0]?.[1]}\n`)
await embeddings.embed(
  Array.from({ length: 10_000 }, () => text),
  signal,
  memoryMeter(),
)
