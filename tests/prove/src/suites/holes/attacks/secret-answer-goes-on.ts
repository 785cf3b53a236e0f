/** What a service answered to a secret is passed on as if anybody could have fetched it. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Attack } from '../attack.ts'
import { addressOf, callsOf, sceneAt } from '../granting.ts'

export const attack: Attack = {
  name: 'secret-answer-goes-on',
  promise: 'What was fetched with a secret is private, and untrusted besides: what is done with it asks.',
  mutant: 'answers-are-public',
  async run(stage) {
    const service = await stage.listen('private-repository')
    const scene = await sceneAt(stage, 'full', [service])
    await scene.gateway.client.storeSecret('service', {
      value: 'tok-93b1c07a44fe',
      destinations: [{ scheme: 'http', host: 'localhost', port: service.port }],
    })
    const url = `${addressOf(service)}/repositories`
    const headers = { authorization: 'Bearer {{secret:service}}' }
    // No document, of which a new one would not ask.
    const write = (path: string) => ({ name: 'write_file', args: { path, content: 'private-repository' } })
    scene.plan('public', [[{ name: 'http_request', args: { url } }], [write('public.txt')]])
    scene.plan('own', [[{ name: 'http_request', args: { url, headers } }], [write('own.txt')]])
    const looked = await scene.run('public')
    const used = await scene.approve(await scene.run('own'))
    const wrote = (name: string) => existsSync(join(scene.installation.paths.workspace, name))
    return {
      open: wrote('own.txt'),
      control: wrote('public.txt') && used.detail.calls[0]?.outcome === 'ok',
      saw: `${callsOf(looked)}; ${callsOf(used)}`,
    }
  },
}
