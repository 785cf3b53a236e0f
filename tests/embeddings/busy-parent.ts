/** A program that embeds until it is told to exit, by anything on its input: `busy-parent.ts <folder>`. */
import { createLocalEmbeddings } from '../../packages/models/src/embeddings/local.ts'
import { memoryMeter } from '../../packages/models/src/embeddings/testing/memory-meter.ts'

const [folder = ''] = process.argv.slice(2)
const long = 'a sentence that is repeated until it fills all that the model reads '.repeat(60)
const texts = Array.from({ length: 5_000 }, () => long)
void createLocalEmbeddings({ folder }).embed(texts, new AbortController().signal, memoryMeter())
process.stdin.once('data', () => process.exit(7))
