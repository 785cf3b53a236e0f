/** Owns a skill of a stranger for attacks on the executor, and the calls that the command line would make for it. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { JsonObject } from '@countersign/contract'
import { filesInFolder, skillReport, treeFilesOf } from '@countersign/contract/skills'
import { sealTestPermit } from '../../../../../packages/executor/src/testing/host.ts'
import { openLoneExecutor } from './lone-executor.ts'
import type { Stage } from './stage.ts'

export async function openStrangerSkill(
  stage: Stage,
  { files, tools }: { readonly files: Readonly<Record<string, string>>; readonly tools?: string },
) {
  const folder = mkdtempSync(join(tmpdir(), 'letters-'))
  stage.afterwards(() => rmSync(folder, { recursive: true, force: true }))
  const allowed = tools === undefined ? '' : `allowed-tools: ${tools}\n`
  const text = `---\nname: letters\ndescription: Writes letters.\n${allowed}---\nBe short.\n`
  for (const [path, content] of Object.entries({ 'SKILL.md': text, ...files })) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), content)
  }
  const found = await filesInFolder(folder)
  if (found.kind === 'refused') throw new Error(found.reason)
  const shown = {
    name: 'letters',
    files: treeFilesOf(found.files),
    text,
    report: skillReport(found.files),
  }
  const { host, resolve, replyTo } = await openLoneExecutor(stage)
  return {
    shown,
    wish: { ...shown, from: folder, source: folder, signature: null, alsoSigned: [], replaces: null },
    catalogue: host.catalogue,
    /** Why the call cannot even be asked for; nothing where it can. */
    async refusal(tool: string, args: object): Promise<string> {
      const reply = await resolve(tool, JSON.stringify(args))
      return reply.kind === 'resolved' ? '' : reply.reason
    },
    /** With the seal that it needs. */
    async made(tool: string, args: object): Promise<{ readonly ok: boolean; readonly text: string }> {
      const reply = await replyTo(await sealTestPermit(host, { tool, args: args as JsonObject }, resolve))
      return reply.kind === 'done' ? reply.result : { ok: false, text: JSON.stringify(reply) }
    },
  }
}
