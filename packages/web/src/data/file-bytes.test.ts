import type { WorkspaceFilePart } from '@countersign/contract'
import { expect, test } from 'vitest'
import { fetchFile, previewOf } from './file-bytes.ts'
import { base64Of } from './upload.ts'

const bytes = (text: string) => new TextEncoder().encode(text) as Uint8Array<ArrayBuffer>

function clientWith(text: string, versions: readonly string[] = []) {
  let asked = 0
  return {
    filePart: async (path: string, offset = 0): Promise<WorkspaceFilePart> => ({
      path,
      size: text.length,
      modifiedAt: '',
      version: versions[asked++] ?? 'one',
      offset,
      base64: btoa(text.slice(offset, offset + 4)),
      label: null,
    }),
  }
}

test('a file is put together of its parts, up to what is wanted', async () => {
  const whole = await fetchFile(clientWith('hello world'), 'a', { most: 100, changed: '' })
  expect(new TextDecoder().decode(whole.bytes)).toBe('hello world')
  const cut = await fetchFile(clientWith('hello world'), 'a', { most: 6, changed: '' })
  expect(new TextDecoder().decode(cut.bytes)).toBe('hello ')
  expect((await fetchFile(clientWith(''), 'a', { most: 6, changed: '' })).bytes).toHaveLength(0)
})

test('parts of two states are not put together', async () => {
  const client = clientWith('hello world', ['one', 'two'])
  await expect(fetchFile(client, 'a', { most: 100, changed: 'It changed.' })).rejects.toThrow('It changed.')
})

test('what is shown goes by the bytes, and no page or drawing is ever run', () => {
  expect(previewOf('a.html', bytes('<script>alert(1)</script>')).kind).toBe('text')
  expect(previewOf('a.svg', bytes('<svg onload="x"/>')).kind).toBe('text')
  expect(previewOf('a.png', bytes('<html>')).kind).toBe('text')
  expect(previewOf('a.txt', new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0, 1]))).toEqual({
    kind: 'picture',
    type: 'image/png',
  })
  expect(previewOf('A.MD', bytes('# A')).kind).toBe('markdown')
  expect(previewOf('a.bin', new Uint8Array([1, 0, 2])).kind).toBe('none')
})

test('bytes are written as base64', () => {
  expect(base64Of(new Uint8Array([0, 255, 16]))).toBe('AP8Q')
})
