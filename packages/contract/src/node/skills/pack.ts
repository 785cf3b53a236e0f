/** Writes a `.tar.gz` that is the same for the same files, without times and owners. Refuses a path that its form cannot hold. */
import { gzipSync } from 'node:zlib'
import type { SkillFiles } from './file-set.ts'

const block = 512

/** Everything lies in one folder of this name. A text says what cannot be packed. */
export function packedFiles(files: SkillFiles, name: string): Buffer | string {
  const parts: Buffer[] = []
  for (const [path, { bytes, executable }] of files) {
    const header = headerOf(`${name}/${path}`, bytes.length, executable)
    if (!header) return `The path ${path} is too long for an archive.`
    const padding = Buffer.alloc((block - (bytes.length % block)) % block)
    parts.push(header, Buffer.from(bytes), padding)
  }
  return gzipSync(Buffer.concat([...parts, Buffer.alloc(2 * block)]), { level: 9 })
}

function headerOf(path: string, size: number, executable: boolean): Buffer | undefined {
  if (Buffer.byteLength(path) > 100) return undefined
  const header = Buffer.alloc(block)
  header.write(path, 0)
  header.write(executable ? '0000755\0' : '0000644\0', 100)
  header.write('0000000\x000000000\0', 108)
  header.write(`${size.toString(8).padStart(11, '0')}\0`, 124)
  header.write('00000000000\0', 136)
  header.write('        ', 148)
  header.write('0', 156)
  header.write('ustar\x0000', 257)
  const sum = header.reduce((all, byte) => all + byte, 0)
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
  return header
}
