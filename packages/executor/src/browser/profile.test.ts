import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { openProfile } from './profile.ts'
import { asUser, probeBrowser } from './program.ts'

const root = mkdtempSync(join(tmpdir(), 'countersign-profiles-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

/** No process has it: the kernel gives out none so high. */
const deadPid = 2 ** 30

describe('the profile of a browser', () => {
  it('is closed to others and goes whole', async () => {
    const profile = await openProfile(root, null)
    expect(statSync(profile.path).mode & 0o777).toBe(0o700)
    expect(statSync(profile.own).mode & 0o777).toBe(0o700)
    await profile.remove()
    expect(existsSync(profile.own)).toBe(false)
  })

  it.skipIf(process.getuid?.() !== 0)(
    'belongs to the user of the browser, and what is above it does not',
    async () => {
      const profile = await openProfile(root, { uid: 65534, gid: 65534 })
      expect(statSync(profile.path)).toMatchObject({ uid: 65534, gid: 65534 })
      expect(statSync(profile.own)).toMatchObject({ uid: 0 })
      expect(statSync(profile.own).mode & 0o777).toBe(0o711)
      await profile.remove()
    },
  )

  it('clears away what ended processes left, and nothing else', async () => {
    const left = join(root, `countersign-browser-${deadPid}-abc123`)
    const kept = [`countersign-browser-${process.pid}-abc123`, `countersign-browser-${deadPid}`, 'other'].map(
      (name) => join(root, name),
    )
    for (const path of [left, ...kept]) mkdirSync(path)
    const link = join(root, `countersign-browser-${deadPid}-link`)
    symlinkSync(join(root, 'other'), link)
    const profile = await openProfile(root, null)
    expect(existsSync(left)).toBe(false)
    expect([...kept, link].every((path) => existsSync(path))).toBe(true)
    await profile.remove()
  })
})

describe('the program of the browser', () => {
  it('is said to be missing with what to do about it', async () => {
    expect(await probeBrowser(['/nonexistent/chromium', root])).toEqual({
      kind: 'unavailable',
      reason: 'Chromium is not installed.',
      fix: 'apt-get install chromium',
    })
    expect(await probeBrowser(['/bin/false'])).toMatchObject({ kind: 'unavailable' })
  })

  it('runs as another user without rights, or as it stands', () => {
    expect(asUser(null, ['x', 'y'])).toEqual(['x', 'y'])
    const command = asUser({ uid: 1, gid: 2 }, ['x'])
    expect(command).toEqual(
      expect.arrayContaining(['--reuid=1', '--regid=2', '--clear-groups', '--no-new-privs']),
    )
    expect(command.at(-1)).toBe('x')
  })
})
