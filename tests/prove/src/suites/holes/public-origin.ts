/** Owns a gateway that is reached under a public origin, and requests that come to it with headers of anybody's choice. */
import { request } from 'node:http'
import type { Scene, Stage } from './stage.ts'

export const publicName = 'home.example.com'
export const publicOrigin = `https://${publicName}`

export function openPublicScene(stage: Stage): Promise<Scene> {
  return stage.ownScene({ environment: { COUNTERSIGN_PUBLIC_ORIGINS: publicOrigin } })
}

export interface AnyRequest {
  readonly method?: 'GET' | 'POST'
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: unknown
}

export function askAnyhow({ gateway }: Scene, { method = 'GET', path, headers, body }: AnyRequest) {
  const { hostname, port } = new URL(gateway.url)
  return new Promise<{ readonly status: number; readonly text: string }>((resolve, reject) => {
    const type = body === undefined ? {} : { 'content-type': 'application/json' }
    const sent = request({ hostname, port, method, path, headers: { ...headers, ...type } }, (answer) => {
      let text = ''
      answer.setEncoding('utf8')
      answer.on('data', (part: string) => {
        text += part
      })
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, text }))
    })
    sent.on('error', reject)
    sent.end(body === undefined ? undefined : JSON.stringify(body))
  })
}
