import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { readTarball, readTarballBytes } from './tarball.ts'

const content = Buffer.from([0, 255, 128, 13, 10])

function archive(path: string): Buffer {
  const header = Buffer.alloc(512)
  header.write(path, 0)
  header.write(`${content.length.toString(8).padStart(11, '0')}\0`, 124)
  header.write('        ', 148)
  header.write('0', 156)
  header.write(
    `${header
      .reduce((sum, byte) => sum + byte, 0)
      .toString(8)
      .padStart(6, '0')}\0 `,
    148,
  )
  return gzipSync(Buffer.concat([header, content, Buffer.alloc(512 - content.length), Buffer.alloc(1024)]))
}

test('bytes come out as they went in, which text does not', () => {
  const packed = archive('package/weights.bin')
  const bytes = readTarballBytes(packed, () => true)
  expect(bytes.kind === 'read' && Buffer.from(bytes.files.get('weights.bin') ?? []).equals(content)).toBe(
    true,
  )
  const text = readTarball(packed, () => true)
  expect(text.kind === 'read' && Buffer.from(text.files.get('weights.bin') ?? '').equals(content)).toBe(false)
})

test('bytes are bounded as text is', () => {
  expect(readTarballBytes(archive('package/a'), () => true, { bytes: 1_000, entries: 10 }).kind).toBe(
    'refused',
  )
})
