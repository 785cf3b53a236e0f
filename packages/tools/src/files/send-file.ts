/** Sends a file of the workspace along with the answer, into the chat where it was asked for. */
import { z } from 'zod'
import { defineTool } from '../definition.ts'
import { succeeded } from '../result.ts'
import { pathText } from '../text.ts'
import { fileResource, inspectFile, readEffect } from './file-effects.ts'

export const sendFile = defineTool({
  name: 'send_file',
  version: '1',
  description:
    'Send a file of the workspace with your answer, where the conversation is in a chat such as Telegram. In the app files need no sending.',
  input: z.strictObject({ path: pathText }),
  category: 'files',
  group: 'filesystem',
  tags: ['attach', 'attachment', 'share', 'give', 'picture', 'document', 'chat', 'telegram', 'message'],
  effect: 'pure',
  floor: 0,
  // Whoever reads the answer reads the file.
  output: { integrity: 'tool', confidentiality: 'private', sources: [] },
  runs: 'executor',
  sandbox: 'files',
  egress: 'none',
  describe: ({ path }) => `Send ${path} with the answer`,
  preview: ({ path }) => ({ kind: 'text', title: 'Send file', text: path }),
  async effects({ path }, inspect) {
    const seen = await inspectFile(path, inspect)
    if (seen.kind !== 'seen') return seen
    if (seen.inspection.kind !== 'file') return { kind: 'invalid', reason: `${path} is not a file.` }
    return {
      kind: 'found',
      resources: [fileResource('read', seen)],
      effects: [{ ...readEffect('read', seen), leaves: ['the file, to the chat that asked for it'] }],
    }
  },
  async run({ path }) {
    const text = `${path} goes with your answer if this conversation is in a chat. In the app it is opened under Files.`
    return succeeded(text, `Sends ${path}`)
  },
})
