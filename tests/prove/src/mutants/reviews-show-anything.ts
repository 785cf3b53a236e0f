/** The report on the card of a review is taken as the caller made it. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'tools/src/skills/review-skill.ts',
    from: "skillReport(kept).join('\\n') === shown.report.join('\\n')",
    to: 'kept.size > 0',
  },
])
