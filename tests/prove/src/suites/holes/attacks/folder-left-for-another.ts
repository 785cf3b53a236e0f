/** The assistant was given a folder by the operator. It makes a scheduled task for another agent of the product, which has none. */
import type { Attack } from '../attack.ts'

export const attack: Attack = {
  name: 'folder-left-for-another',
  promise: 'An agent of the product that was given a folder schedules nothing for agents without it.',
  mutant: 'schedules-for-anybody',
  async run(stage) {
    const scene = await stage.ownScene()
    const { client } = scene.gateway
    const makes = async (word: string, agent: string): Promise<boolean> => {
      const args = { name: word, schedule: '0 3 1 1 *', prompt: 'Read diary.txt.', agent }
      scene.plan(word, [[{ name: 'create_scheduled_task', args }]])
      const played = await scene.run(word)
      if (played.detail.run.state === 'parked') await scene.approve(played)
      return (await client.schedules()).some(({ name }) => name === word)
    }
    const free = await makes('rover', 'writer')
    await client.changeAgent('assistant', { folder: 'desk' })
    const forItself = await makes('clerk', 'assistant')
    const forAnother = await makes('smuggler', 'writer')
    return {
      open: forAnother,
      control: free && forItself,
      saw: `for another without a folder: ${free}; with one, for itself: ${forItself}, for another: ${forAnother}`,
    }
  },
}
