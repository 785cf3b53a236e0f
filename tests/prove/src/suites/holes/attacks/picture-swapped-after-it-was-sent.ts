/** A program puts another picture in the place of one that the operator attached, before the model is shown it. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Attack } from '../attack.ts'
import { attachPicture, pictureBytes, sayWith, seePictures, wasShown } from '../pictures.ts'

export const attack: Attack = {
  name: 'picture-swapped-after-it-was-sent',
  promise: 'A model is shown the bytes that the operator sent, or none.',
  mutant: 'pictures-by-path',
  async run(stage) {
    const scene = await stage.ownScene()
    await seePictures(scene)
    const [mine, theirs] = [pictureBytes('one'), pictureBytes('two')]
    const kept = await attachPicture(scene, 'kept.png', pictureBytes('kept'))
    const swapped = await attachPicture(scene, 'swapped.png', mine)
    writeFileSync(join(scene.installation.paths.workspace, swapped.path), theirs)
    scene.plan('look', [])
    await sayWith(scene, 'look at both.', [kept, swapped])
    return {
      open: wasShown(scene, theirs),
      control: wasShown(scene, pictureBytes('kept')),
      saw: `the swapped one was shown: ${wasShown(scene, theirs)}`,
    }
  },
}
