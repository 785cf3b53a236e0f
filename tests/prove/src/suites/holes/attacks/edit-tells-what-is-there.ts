/** A file may not be read. The model edits it with guessed texts, and learns from the answers which of them are in it. */
import type { Attack } from '../attack.ts'
import { sceneWithDiary } from '../denied-folder.ts'

export const attack: Attack = {
  name: 'edit-tells-what-is-there',
  promise: 'Before the decision the answer to an edit is the same whatever the file says.',
  mutant: 'edits-tell-beforehand',
  async run(stage) {
    const attempt = await sceneWithDiary(stage, 'I saw the dunlin at noon. The dunlin slept.\n')
    const guess = (path: string, oldText: string) =>
      attempt({ name: 'edit_file', args: { path, oldText, newText: 'x' } })
    const answers = []
    for (const text of ['swan', 'dunlin', 'noon']) answers.push(await guess('diary/today.txt', text))
    const beside = await guess('other/today.txt', 'noon')
    return {
      open: new Set(answers.map((answer) => JSON.stringify(answer))).size > 1,
      control: beside.outcome === 'ok',
      saw: answers.map(({ outcome, told }) => `${outcome}: ${told}`).join(' | '),
    }
  },
}
