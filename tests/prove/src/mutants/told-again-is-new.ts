/** Whatever a platform tells again is taken for something new. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'gateway/src/channels/intake.ts',
    from: `    const sound = withSoundIds(event)`,
    to: `    const sound = withSoundIds({ ...event, id: event.id + crypto.randomUUID() })`,
  },
])
