/** A program that exits while texts are being embedded: `exit-while-busy.ts <folder> <milliseconds>`. */
import { createLocalEmbeddings } from '../../packages/models/src/embeddings/local.ts'
import { keptMeter } from '../../packages/models/src/media/testing/kept-meter.ts'

const [folder = '', wait = '0'] = process.argv.slice(2)
const long = 'a sentence that is repeated until it fills all that the model reads '.repeat(60)
const texts = Array.from({ length: 500 }, () => long)
void createLocalEmbeddings({ folder }).embed(texts, new AbortController().signal, keptMeter())
setTimeout(() => process.exit(7), Number(wait))
