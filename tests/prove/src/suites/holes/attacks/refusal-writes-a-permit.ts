/** A file is named so that the rule which should refuse it for ever reads as one that allows everything. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Attack } from '../attack.ts'
import { callsOf } from '../granting.ts'
import type { Scene } from '../stage.ts'

const clever =
  'x"]) }; permit (principal, action, resource) when { context.tier <= 2 }; @id("q") forbid (principal, action, resource) when { context.paths.containsAny(["zz'

export const attack: Attack = {
  name: 'refusal-writes-a-permit',
  promise: 'A standing refusal refuses what it names and allows nothing, whoever chose the names.',
  mutant: 'refusals-unquoted',
  async run(stage) {
    const scene = await stage.ownScene()
    const { home } = scene.installation
    for (const name of [clever, 'plain.txt', 'other.txt']) writeFileSync(join(home, name), 'private')
    const saw: string[] = []
    for (const name of [clever, 'plain.txt']) saw.push(await denyForEver(scene, join(home, name)))
    scene.plan('other', [[read(join(home, 'other.txt'))]])
    scene.plan('again', [[read(join(home, 'plain.txt'))]])
    const other = await scene.run('other')
    const again = await scene.run('again')
    const { rules } = await scene.gateway.client.policy()
    const open = other.detail.calls[0]?.outcome === 'ok' || rules.some(({ effect }) => effect !== 'refuse')
    return {
      open,
      control: open || (rules.length === 2 && again.detail.calls[0]?.outcome === 'denied'),
      saw: [...saw, callsOf(other), callsOf(again)].join('; '),
    }
  },
}

const read = (path: string) => ({ name: 'read_file', args: { path } })

async function denyForEver(scene: Scene, path: string): Promise<string> {
  scene.plan('read', [[read(path)]])
  const { detail } = await scene.run('read')
  const [approval] = detail.approvals
  if (!approval) return 'nothing waited'
  const { refusal } = await scene.gateway.client.decide(approval.id, {
    verdict: 'deny',
    reason: '',
    stop: true,
    always: 'target',
  })
  return refusal?.kind === 'failed' ? refusal.problem : (refusal?.kind ?? 'no rule')
}
