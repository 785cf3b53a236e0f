/** Owns that no secret goes to a provider in words for a picture, a voice or a recording. */
import type { MediaPort } from '@countersign/agent'
import type { MakingTask } from '@countersign/contract'

export function maskedMedia(media: MediaPort, mask: (text: string) => string): MediaPort {
  return { make: (task, signal, meter) => media.make(masked(task, mask), signal, meter) }
}

function masked(task: MakingTask, mask: (text: string) => string): MakingTask {
  switch (task.kind) {
    case 'picture':
    case 'edit':
      return { ...task, prompt: mask(task.prompt) }
    case 'speech':
      return { ...task, text: mask(task.text) }
    case 'transcript':
    case 'translation':
      return task.hint === undefined ? task : { ...task, hint: mask(task.hint) }
    case 'variation':
      return task
  }
}
