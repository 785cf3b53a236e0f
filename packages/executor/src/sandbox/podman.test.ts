import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { sandboxContract } from './contract.ts'
import type { SandboxPaths } from './layout.ts'
import { probePodman } from './podman.ts'

const folder = mkdtempSync(join(tmpdir(), 'sandbox-podman-'))
const workspace = join(folder, 'workspace')
mkdirSync(workspace)
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const probed = await probePodman({ workspace, hidden: [], folder: join(folder, 'podman') })

if (probed.kind === 'available') {
  sandboxContract('podman', async (place: SandboxPaths) => {
    const probe = await probePodman({ ...place, folder: join(folder, 'podman') })
    if (probe.kind === 'unavailable') throw new Error(`${probe.reason}. ${probe.fix}`)
    return probe.sandbox
  })
} else {
  describe('the sandbox contract, held by podman', () => {
    it.skip(`cannot be tried here: ${probed.reason}. ${probed.fix}`)
  })
}

describe('the probe for podman', () => {
  const place = { workspace, hidden: [], folder: join(folder, 'probe') }

  it('is unavailable with a reason and a fix when podman is missing', async () => {
    expect(await probePodman({ ...place, podmanPath: '/nonexistent/podman' })).toEqual({
      kind: 'unavailable',
      reason: 'podman is not installed',
      fix: 'apt-get install podman',
    })
  })

  it('is unavailable when what stands in for podman does not isolate', async () => {
    for (const podmanPath of ['/usr/bin/true', '/usr/bin/false', '/usr/bin/env']) {
      expect((await probePodman({ ...place, podmanPath })).kind).toBe('unavailable')
    }
  })

  it('is unavailable when Node is missing', async () => {
    expect(await probePodman({ ...place, nodePath: '/nonexistent/node' })).toMatchObject({
      kind: 'unavailable',
    })
  })

  it('refuses the root, the state directory or nothing as a workspace', async () => {
    for (const chosen of ['/', workspace, '/nonexistent/workspace']) {
      expect((await probePodman({ ...place, workspace: chosen, hidden: [workspace] })).kind).toBe(
        'unavailable',
      )
    }
  })
})
