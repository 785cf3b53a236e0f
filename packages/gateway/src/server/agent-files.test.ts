import { expect, test } from 'vitest'
import { routeApp } from '../testing/route-app.ts'
import { type AgentFileParts, addAgentFileRoutes } from './agent-files.ts'

const sha256 = 'a'.repeat(64)

test('a file that agents are told is shown, accepted by its hash and taken away', async () => {
  const acts: string[] = []
  const file = { path: 'AGENTS.md', sha256, isPublic: true, acceptedAt: '2026-08-01', state: 'told' as const }
  const parts: AgentFileParts = {
    list: async () => [file],
    content: async (path) => ({ path, sha256, text: 'x', told: 1, label: null, isAccepted: true }),
    accept: async (by, wanted) => {
      acts.push(`${by.id} ${wanted.path} ${wanted.isPublic}`)
      return { file, ledger: 1 }
    },
    remove: async (by, path) => {
      acts.push(`${by.id} remove ${path}`)
      return { path, ledger: 2 }
    },
  }
  const { client } = routeApp((app) => addAgentFileRoutes(app, parts))
  expect(await client.toldFiles()).toEqual([file])
  expect(await client.toldFileContent('desk/AGENTS.md')).toMatchObject({ path: 'desk/AGENTS.md' })
  await client.acceptToldFile({ path: 'AGENTS.md', sha256 })
  await client.removeToldFile('AGENTS.md')
  expect(acts).toEqual(['laptop AGENTS.md false', 'laptop remove AGENTS.md'])
  for (const path of ['../secret', '/etc/passwd', '.', 'a//b', ''])
    await expect(client.toldFileContent(path)).rejects.toMatchObject({ code: 'usage' })
  expect(acts).toHaveLength(2)
})
