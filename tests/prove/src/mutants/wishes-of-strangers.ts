/** Whoever reads the words for wishes is shown what came back from calls, too. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'kernel/src/dispatch/list-asked-for.ts',
    from: 'const wishes = await read(wordsSince(words))',
    to: `const results = await store.read(held.operator, (db) =>
    db.selectFrom('calls').select('result_text').where('run_id', '=', held.id).execute())
  const wishes = await read([...words.earlier, ...words.now, ...results.map((row) => row.result_text)])`,
  },
])
