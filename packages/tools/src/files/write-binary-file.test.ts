import { Buffer } from 'node:buffer'
import { expect, test } from 'vitest'
import { writeBinaryFile } from './write-binary-file.ts'

const previewOf = (content: string | Uint8Array) =>
  writeBinaryFile.preview({ path: 'run.sh', base64: Buffer.from(content).toString('base64') })

test('shows words as words, so that no program hides behind its base64', () => {
  const content = '#!/bin/sh\nrm -rf "$HOME" # grüße\n'
  expect(previewOf(content)).toEqual({ kind: 'write', path: 'run.sh', content })
})

test('says that what is no text is not shown', () => {
  for (const bytes of [Uint8Array.of(0x89, 0x50, 0xff), Uint8Array.of(0x61, 0, 0x62)])
    expect(previewOf(bytes)).toMatchObject({ kind: 'text', text: expect.stringContaining('not shown') })
})
