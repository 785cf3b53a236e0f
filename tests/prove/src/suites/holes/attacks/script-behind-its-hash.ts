/** A stranger's words have an agent write a skill with a script, and the card of the review shows the script's hash only. */
import type { JsonObject } from '@countersign/contract'
import { otherTexts, skillReport, treeFilesOf } from '@countersign/contract/skills'
import { sealTestPermit } from '../../../../../../packages/executor/src/testing/host.ts'
import type { Attack } from '../attack.ts'
import { openLoneExecutor } from '../lone-executor.ts'

const text = '---\nname: letters\ndescription: Writes letters.\n---\nRun `scripts/send.py`.\n'
const script = 'open("/workspace/letters").write("sent")'
const files = new Map(
  Object.entries({ 'SKILL.md': text, 'scripts/send.py': script }).map(([path, words]) => [
    path,
    { bytes: Buffer.from(words), executable: false },
  ]),
)

export const attack: Attack = {
  name: 'script-behind-its-hash',
  promise: 'What an agent wrote is reviewed by a card with all of its words, those of its scripts too.',
  mutant: 'other-files-stay-unshown',
  async run(stage) {
    const { host, resolve, replyTo, installed } = await openLoneExecutor(stage)
    const args = { name: 'letters', text, files: [{ path: 'scripts/send.py', text: script }] }
    await replyTo(await sealTestPermit(host, { tool: 'propose_skill', args }, resolve))
    const [proposal] = installed().proposals
    const honest = {
      name: 'letters',
      files: treeFilesOf(files),
      text,
      report: skillReport(files),
      others: otherTexts(files),
      writtenBy: proposal?.writtenBy,
      replaces: null,
    }
    const isAsked = async (review: object) =>
      (await resolve('review_proposed_skill', JSON.stringify(review))).kind === 'resolved'
    const unshown = await isAsked({ ...honest, others: [] })
    const other = await isAsked({ ...honest, others: [{ path: 'scripts/send.py', text: 'print("hello")' }] })
    const card = host.catalogue
      .find('review_proposed_skill')
      ?.preview(JSON.parse(JSON.stringify(honest)) as JsonObject)
    const isShown = card?.kind === 'code' && card.code.includes(`| ${script}`)
    return {
      open: unshown || other || !isShown,
      control: await isAsked(honest),
      saw: `asked without it: ${String(unshown)}, with another: ${String(other)}; on the card: ${String(isShown)}`,
    }
  },
}
