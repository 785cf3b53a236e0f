/** `countersign policy edit`: your rules in your own editor; what is saved there is checked, tried and applied. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CountersignError } from '@countersign/contract'
import type { Handler } from '../context.ts'
import { done } from '../output/answer.ts'
import { usage } from '../output/failure.ts'
import { applied } from './policy.ts'
import { checkedDraft } from './policy-draft.ts'

const firstFile = {
  name: 'mine.cedar',
  text: `// Each rule has an id and a reason, which cards show.
// @id("files.letters") @why("letters are changed only with my consent")
// forbid (principal, action == Action::"call", resource == Tool::"write_file")
// when { context.folders.contains("letters") }
// unless { context.approved };
`,
}

export const edit: Handler = async (context) => {
  const { editor } = context.host.environment
  if (!context.interactive || editor === undefined)
    return usage('An editor needs a terminal and the variable EDITOR.', 'policy edit')
  const gateway = await context.gateway()
  const { version, document } = await gateway.client.policy()
  const folder = mkdtempSync(join(tmpdir(), 'countersign-policy-'))
  try {
    const before = document.files.length === 0 ? [firstFile] : document.files
    for (const { name, text } of before) writeFileSync(join(folder, name), text, { mode: 0o600 })
    const [program = '', ...words] = editor.split(' ').filter(Boolean)
    const { status } = spawnSync(program, [...words, ...before.map(({ name }) => join(folder, name))], {
      stdio: 'inherit',
    })
    if (status !== 0)
      throw new CountersignError('usage', 'The editor ended without saving. Nothing was changed.')
    const files = readdirSync(folder)
      .filter((name) => name.endsWith('.cedar'))
      .map((name) => ({ name, text: readFileSync(join(folder, name), 'utf8') }))
      .filter(({ text }) => text !== firstFile.text)
    if (JSON.stringify(files) === JSON.stringify(document.files))
      return done({ changed: false }, 'Nothing was changed.')
    return await applied(context, gateway, version.number, checkedDraft({ ...document, files }))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
