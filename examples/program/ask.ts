import { createProgramClient } from 'countersign/client'

const [url = '', ...words] = process.argv.slice(2)
const client = createProgramClient({ url, token: process.env.TOKEN ?? '' })

const pieces = client.stream(words.join(' '), { conversation: 'example' })
let piece = await pieces.next()
for (; !piece.done; piece = await pieces.next()) process.stdout.write(piece.value)
console.log(`\n${piece.value.state}`)
