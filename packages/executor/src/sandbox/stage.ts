/**
 * Owns the stage on which the file systems of a layered sandbox are put together, before bubblewrap confines anything:
 * a bubblewrap of its own that may mount. A bind over a file of the host would fall off as soon as somebody outside
 * renames another file to that name; an overlay looks names up by itself, and what lies on top stays there.
 */
import { join } from 'node:path'
import type { SandboxLayers, SandboxProfile } from './port.ts'

/** The folders inside of a sealed folder. Their names stand in mount options, so they are plain. */
export const sealedFolders = {
  /** Files that lie over those of /usr. */
  usr: 'usr',
  /** Files that lie over those of the workspace. */
  files: 'files',
  /** What a command changed. */
  changes: 'changes',
  /** For the kernel, beside the changes. */
  work: 'work',
  /** Mount points. */
  host: 'host',
  usrView: 'usr-view',
  view: 'view',
} as const

/** Where the program that takes changes over finds them, and how the workspace would look with them. */
export const sandboxChanges = '/taken/changes'
export const sandboxView = '/taken/view'
/** Where it writes down what it does, and what it reads of an earlier time. */
export const sandboxJournal = '/taken/journal'
export const sandboxSource = '/taken/source'

const rights = ['--unshare-user', '--uid', '0', '--gid', '0', '--cap-add', 'ALL', '--die-with-parent']

/** Arguments of the outer bubblewrap: all of the host as it is, and the workspace under a plain name. */
export function stagePlan({ sealedFolder }: SandboxLayers, workspace: string): string[] {
  return [
    ...rights,
    '--dev-bind',
    '/',
    '/',
    '--bind',
    workspace,
    join(sealedFolder, sealedFolders.host),
    '--chdir',
    sealedFolder,
  ]
}

/** The words that mount the layers and then become whatever follows them. */
export function stageArgv({ workspace }: SandboxLayers, profile: SandboxProfile): string[] {
  const { usr, files, changes, work, host, usrView, view } = sealedFolders
  const steps = workspace === 'taking-over' ? [] : [overlay(`lowerdir=${usr}:/usr`, usrView)]
  if (workspace === 'sealed') {
    const kept = profile === 'read-only' ? '' : `,upperdir=${changes},workdir=${work}`
    steps.push(overlay(`lowerdir=${files}:${host}${kept}`, view))
  }
  if (workspace === 'taking-over') steps.push(overlay(`lowerdir=${changes}:${host}`, view))
  return ['/bin/sh', '-c', [...steps, 'exec "$@"'].join(' && '), 'sh']
}

function overlay(options: string, at: string): string {
  return `/usr/bin/mount -t overlay overlay -o userxattr,${options} ${at}`
}
