/** Archives made by hand, so that each trick of an attacker can be put into one. For tests. */
import { crc32, deflateRawSync, gzipSync } from 'node:zlib'

export interface TarEntry {
  readonly path: string
  readonly content?: string | Uint8Array
  readonly type?: string
  readonly mode?: number
  readonly prefix?: string
  readonly link?: string
}

export function tarOf(entries: readonly TarEntry[]): Buffer {
  const parts = entries.flatMap(
    ({ path, content = '', type = '0', mode = 0o644, prefix = '', link = '' }) => {
      const bytes = Buffer.from(content)
      const header = Buffer.alloc(512)
      header.write(path, 0)
      header.write(`${mode.toString(8).padStart(7, '0')}\0`, 100)
      header.write(`${bytes.length.toString(8).padStart(11, '0')}\0`, 124)
      header.write('        ', 148)
      header.write(type, 156)
      header.write(link, 157)
      header.write('ustar\x0000', 257)
      header.write(prefix, 345)
      const sum = header.reduce((all, byte) => all + byte, 0)
      header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
      return [header, bytes, Buffer.alloc((512 - (bytes.length % 512)) % 512)]
    },
  )
  return gzipSync(Buffer.concat([...parts, Buffer.alloc(1024)]))
}

export interface ZipEntry {
  readonly name: string
  readonly content?: string | Uint8Array
  /** In the list, where another one stands before the file. */
  readonly listed?: string
  readonly mode?: number
  readonly encrypted?: true
  /** What it is said to be unpacked. */
  readonly size?: number
  /** It takes the content of the entry with this number. */
  readonly sharing?: number
  /** As it is, without being packed. */
  readonly stored?: true
  /** It lies here, in what another entry wrote. */
  readonly place?: number
}

export function zipOf(entries: readonly ZipEntry[], comment = ''): Buffer {
  const files: Buffer[] = []
  const list: Buffer[] = []
  const places: number[] = []
  let at = 0
  for (const entry of entries) {
    const { name, content = '', listed = name, mode = 0o100644, encrypted, size, sharing, stored } = entry
    const bytes = Buffer.from(content)
    const data = stored ? bytes : deflateRawSync(bytes)
    const common = (named: Buffer) => {
      const fields = Buffer.alloc(26)
      fields.writeUInt16LE(20, 0)
      fields.writeUInt16LE(encrypted ? 1 : 0, 2)
      fields.writeUInt16LE(stored ? 0 : 8, 4)
      fields.writeUInt32LE(crc32(bytes), 10)
      fields.writeUInt32LE(data.length, 14)
      fields.writeUInt32LE(size ?? bytes.length, 18)
      fields.writeUInt16LE(named.length, 22)
      return fields
    }
    const [inFile, inList] = [Buffer.from(name), Buffer.from(listed)]
    const place = entry.place ?? (sharing === undefined ? at : (places[sharing] ?? 0))
    places.push(place)
    const rest = Buffer.alloc(14)
    rest.writeUInt32LE((mode << 16) >>> 0, 6)
    rest.writeUInt32LE(place, 10)
    list.push(Buffer.concat([Buffer.from('PK\x01\x02\x14\x03', 'latin1'), common(inList), rest, inList]))
    if (place !== at) continue
    const file = Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), common(inFile), inFile, data])
    files.push(file)
    at += file.length
  }
  const directory = Buffer.concat(list)
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06', 'latin1')
  end.writeUInt16LE(entries.length, 8)
  end.writeUInt16LE(entries.length, 10)
  end.writeUInt32LE(directory.length, 12)
  end.writeUInt32LE(at, 16)
  end.writeUInt16LE(comment.length, 20)
  return Buffer.concat([...files, directory, end, Buffer.from(comment)])
}
