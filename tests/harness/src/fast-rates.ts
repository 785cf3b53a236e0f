/** Owns the rates of an installation whose scripted model makes more calls in a minute than a real one. */

/** As an operator would set them, in `COUNTERSIGN_RATES`. */
export const fastRates = [
  'all',
  'execute_javascript',
  'execute_python',
  'execute_shell',
  'compile_code',
  'package_manager',
  'run_coding_task',
  'search_web',
  'fetch_web_page',
  'http_request',
  'json_api',
]
  .map((name) => `${name}=100000`)
  .join(',')
