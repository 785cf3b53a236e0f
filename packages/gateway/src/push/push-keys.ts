/** Owns the keys by which push services know this gateway. They are made once and kept with the others. */
import { existsSync, readFileSync } from 'node:fs'
import { writeNew } from '@countersign/contract/node'
import { z } from 'zod'

const PushKeys = z.strictObject({ publicKey: z.string(), privateKey: z.string() })

export async function readOrCreatePushKeys(path: string): Promise<z.infer<typeof PushKeys>> {
  if (!existsSync(path)) {
    const { default: webPush } = await import('web-push')
    writeNew(path, `${JSON.stringify(webPush.generateVAPIDKeys())}\n`)
  }
  return PushKeys.parse(JSON.parse(readFileSync(path, 'utf8')))
}
