/** Owns a program of an attack: one command over a view, what is asked about it, and what stands in the workspace then. */
import { execFileSync } from 'node:child_process'
import { lstatSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { ReplyCall } from '@countersign/model-servers'
import type { PlayedRun, Scene } from './stage.ts'

export const shell = (command: string): ReplyCall => ({ name: 'execute_shell', args: { command } })

/** In a conversation of its own. */
export function runProgram(scene: Scene, word: string, command: string): Promise<PlayedRun> {
  scene.plan(word, [[shell(command)]])
  return scene.run(word)
}

/** What stands at the path itself; links are not followed. */
export function kindAt(scene: Scene, path: string): 'file' | 'folder' | 'link' | null {
  const found = lstatSync(join(scene.installation.paths.workspace, path), { throwIfNoEntry: false })
  if (!found) return null
  if (found.isSymbolicLink()) return 'link'
  return found.isDirectory() ? 'folder' : 'file'
}

/** The list on the card that waits, line by line. */
export function linesOnCard({ detail }: PlayedRun): string[] {
  const waiting = detail.approvals.find(({ state }) => state === 'pending')
  const preview = waiting?.card.preview
  return preview?.kind === 'text' ? preview.text.split('\n') : []
}

/** What the operator's own git does in a folder of the workspace, with no settings but its own. */
export function git(scene: Scene, folder: string, ...args: readonly string[]): string {
  const cwd = join(scene.installation.paths.workspace, folder)
  mkdirSync(cwd, { recursive: true })
  const env = {
    PATH: process.env['PATH'],
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_AUTHOR_NAME: 'Mira',
    GIT_AUTHOR_EMAIL: 'mira@example.org',
    GIT_COMMITTER_NAME: 'Mira',
    GIT_COMMITTER_EMAIL: 'mira@example.org',
  }
  return execFileSync('git', args, { cwd, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
}

/** All that lies in the folder becomes its first commit. */
export function commitAll(scene: Scene, folder: string): void {
  git(scene, folder, 'init', '-q', '-b', 'main')
  git(scene, folder, 'add', '-A')
  git(scene, folder, 'commit', '-q', '-m', 'All of it')
}
