/** Tags in what set an automation off are taken out, and what is left around one can be a tag. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'assistant/src/schedules/order.ts',
    from: "words.replaceAll(/[<＜﹤]/g, '‹').replaceAll(/[>＞﹥]/g, '›')",
    to: "words.replaceAll(/<\\/?event>/gi, '')",
  },
])
