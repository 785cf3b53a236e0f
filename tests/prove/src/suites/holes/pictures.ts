/** Owns a conversation with a picture in it, before a model that takes pictures. */
import { type Attachment, attachmentOf } from '@countersign/contract'
import { sha256Hex } from '@countersign/contract/node'
import { settledRun } from '@countersign/harness'
import type { PlayedRun, Scene } from './stage.ts'

/** The first bytes of a picture, and what follows them. */
export function pictureBytes(rest: string): Buffer {
  const header = Buffer.from('89504e470d0a1a0a0000000d4948445200000001000000010800000000000000ff', 'hex')
  return Buffer.concat([header, Buffer.from(rest)])
}

/** The model of the scene takes pictures from now on. */
export async function seePictures({ gateway, installation }: Scene): Promise<void> {
  await gateway.client.addProvider({
    name: 'box',
    kind: 'openai-compatible',
    url: installation.model.baseUrl('openai'),
  })
  await gateway.client.overrideModel('box/seeing', { capabilities: ['tools', 'vision'] })
}

export async function attachPicture({ gateway }: Scene, name: string, bytes: Buffer): Promise<Attachment> {
  const path = `attachments/${name}`
  const args = JSON.stringify({ path, base64: bytes.toString('base64') })
  await settledRun(gateway.client, (await gateway.client.callTool('write_binary_file', args)).run)
  return attachmentOf({ path, name, sha256: sha256Hex(bytes), bytes: bytes.length })
}

export async function sayWith(
  { gateway }: Scene,
  text: string,
  attachments: readonly Attachment[],
): Promise<PlayedRun> {
  const sent = await gateway.client.send({
    key: crypto.randomUUID(),
    session: null,
    text,
    attachments: [...attachments],
    mode: 'auto',
    model: 'box/seeing',
  })
  const id = sent.run ?? ''
  return { id, session: sent.session, detail: await settledRun(gateway.client, id, 'either') }
}

/** Whether the model was sent these bytes as a picture. */
export function wasShown({ installation }: Scene, bytes: Buffer): boolean {
  const base64 = bytes.toString('base64')
  return installation.model.requests.some(({ body }) => JSON.stringify(body).includes(`base64,${base64}`))
}
