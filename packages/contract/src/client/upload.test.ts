import { describe, expect, test } from 'vitest'
import { largestUploadPart } from '../attachments.ts'
import { CountersignError } from '../errors.ts'
import { sha256Hex } from '../node/sha256.ts'
import { type AttachPorts, attachmentCall, type UploadPorts, uploadCall } from './upload.ts'

const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64')

function receiver() {
  let content = Buffer.alloc(0)
  const send: UploadPorts['send'] = async (_, offset, part) => {
    content = Buffer.concat([content.subarray(0, offset), Buffer.from(part, 'base64')])
    return { received: content.length }
  }
  return { send, content: () => content }
}

test('a small file goes in one part, so that no record holds its content', async () => {
  for (const text of ['abc', '']) {
    const { send, content } = receiver()
    const bytes = Buffer.from(text)
    const call = await uploadCall({ send, base64, sha256: sha256Hex }, 'a.txt', bytes)
    const args = { path: 'a.txt', sha256: sha256Hex(bytes), size: bytes.length }
    expect(call).toEqual({ tool: 'write_upload', args })
    expect(content().toString()).toBe(text)
  }
})

describe('a file that is attached', () => {
  const bytes = Buffer.from('the same bytes')
  const sha256 = sha256Hex(bytes)
  const usual = `attachments/file-${sha256.slice(0, 32)}.png`

  async function attach(there: Buffer | null) {
    const { send } = receiver()
    const read: AttachPorts['read'] = async (path, at) => {
      const offset = at ?? 0
      if (there === null || path !== usual) throw new CountersignError('not_found', `${path} does not exist.`)
      const part = base64(there.subarray(offset, offset + 5))
      return { path, size: there.length, modifiedAt: '', version: '', offset, base64: part, label: null }
    }
    const bytesOf = (text: string) => Buffer.from(text, 'base64')
    return attachmentCall({ send, base64, sha256: sha256Hex, read, bytesOf }, 'a photo.png', bytes)
  }

  test('is put under the name of its content', async () => {
    const { attachment, call } = await attach(null)
    expect(attachment).toEqual({
      path: usual,
      name: 'a photo.png',
      sha256,
      bytes: 14,
      mediaType: 'image/png',
    })
    expect(call?.args).toEqual({ path: usual, sha256, size: 14 })
  })

  test('is not put there twice', async () => {
    expect(await attach(bytes)).toMatchObject({ attachment: { path: usual }, call: null })
  })

  test.each([
    ['as long', Buffer.from('another bytes.')],
    ['shorter', Buffer.from('x')],
  ])('does not go over something else that is there, %s', async (_, other) => {
    const { attachment, call } = await attach(other)
    expect(attachment.path).toMatch(/^attachments\/file-[\da-f]{32}\.png$/)
    expect(attachment.path).not.toBe(usual)
    expect(call?.args).toMatchObject({ path: attachment.path, sha256 })
  })
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
