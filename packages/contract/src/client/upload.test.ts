import { expect, test } from 'vitest'
import { largestUploadPart } from '../attachments.ts'
import { sha256Hex } from '../node/sha256.ts'
import { type UploadPorts, uploadCall } from './upload.ts'

const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64')

function receiver() {
  let content = Buffer.alloc(0)
  const send: UploadPorts['send'] = async (_, offset, part) => {
    content = Buffer.concat([content.subarray(0, offset), Buffer.from(part, 'base64')])
    return { received: content.length }
  }
  return { send, content: () => content }
}

test('a small file goes in the call that writes it', async () => {
  const { send, content } = receiver()
  const call = await uploadCall({ send, base64, sha256: sha256Hex }, 'a.txt', Buffer.from('abc'))
  expect(call).toEqual({ tool: 'write_binary_file', args: { path: 'a.txt', base64: 'YWJj' } })
  expect(content()).toHaveLength(0)
})

test('a large one goes in parts, and the call names its hash', async () => {
  const { send, content } = receiver()
  const bytes = Buffer.alloc(2 * largestUploadPart + 5, 'xyz')
  const shares: number[] = []
  const ports = { send, base64, sha256: sha256Hex, onProgress: (share: number) => shares.push(share) }
  const call = await uploadCall(ports, 'a.bin', bytes)
  expect(call).toEqual({
    tool: 'write_upload',
    args: { path: 'a.bin', sha256: sha256Hex(bytes), size: bytes.length },
  })
  expect(content().equals(bytes)).toBe(true)
  expect(shares).toHaveLength(4)
  expect([shares.at(0), shares.at(-1)]).toEqual([0, 1])
})

test('one that is stopped is not called for', async () => {
  const { send, content } = receiver()
  const stopper = new AbortController()
  const ports = { send, base64, sha256: sha256Hex, signal: stopper.signal, onProgress: stop }
  function stop(share: number) {
    if (share > 0) stopper.abort(new Error('enough'))
  }
  await expect(uploadCall(ports, 'a.bin', Buffer.alloc(5 * largestUploadPart))).rejects.toThrow('enough')
  expect(content()).toHaveLength(largestUploadPart)
})
