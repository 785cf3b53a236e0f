/** A contact was changed here by a run that had read a secret, and on the server. The operator keeps the server's side. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { startCalendarServer } from '@countersign/executor/calendar-server'
import { settledRun } from '@countersign/harness'
import type { Attack } from '../attack.ts'

export const attack: Attack = {
  name: 'settled-conflict-forgets',
  promise: 'What a record holds besides what is synced is worth what it was when the server’s side is kept.',
  mutant: 'settled-conflicts-forget',
  async run(stage) {
    const server = await startCalendarServer()
    stage.afterwards(() => server.close())
    const environment = { COUNTERSIGN_LOCAL_TARGETS: `localhost:${server.port}` }
    const scene = await stage.ownScene({ environment })
    const { client } = scene.gateway
    const { name, secret: _, ...account } = server.account('home')
    await client.storeCalendarAccount(name, { ...account, password: server.password })
    const value = 'tok-c3d97e10b5a8'
    const destinations = [{ scheme: 'https' as const, host: 'service.example', port: 443 }]
    await client.storeSecret('service', { value, destinations })
    writeFileSync(join(scene.installation.paths.workspace, 'settings.txt'), `TOKEN=${value}\nUSER=mira`)
    const { run } = await client.callTool('add_contact', JSON.stringify({ name: 'Bo', phone: '+49 30 1234' }))
    await settledRun(client, run, 'either')
    await client.syncCalendarAccount('home')
    const found = async () => (await client.contacts({ search: 'Bo', limit: 10 })).items[0]
    const id = (await found())?.id ?? ''
    const change = { contactId: id, phone: '+49 30 5678', relationship: 'mira' }
    scene.plan('keep', [
      [{ name: 'read_file', args: { path: 'settings.txt' } }],
      [{ name: 'update_contact', args: change }],
    ])
    const played = await scene.run('keep')
    if (played.detail.run.state === 'parked') await scene.approve(played)
    const text = (await server.get(`contacts/${id}.vcf`)) ?? ''
    await server.put(`contacts/${id}.vcf`, text.replace('+49 30 1234', '+49 30 9999'))
    const before = await found()
    const { conflicts } = await client.syncCalendarAccount('home')
    if (conflicts === 0)
      throw new Error(`There was no conflict: ${JSON.stringify([played.detail.calls, before])}`)
    await client.settleConflict(id, { keep: 'theirs' })
    const after = await found()
    const isSecret = (contact: typeof after) => contact?.label?.confidentiality === 'secret'
    return {
      open: !isSecret(after),
      control:
        isSecret(before) && after?.data['phone'] === '+49 30 9999' && after?.data['relationship'] === 'mira',
      saw: `${conflicts} conflict; before: ${JSON.stringify(before?.label)}; after: ${JSON.stringify(after?.label)}`,
    }
  },
}
