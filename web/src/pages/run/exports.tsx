import { addressOf } from '../../../../src/api/client.ts';

const FORMATS = [
  ['jsonl', 'JSON lines'],
  ['csv', 'CSV'],
  ['junit', 'JUnit'],
  ['markdown', 'Markdown'],
  ['html', 'HTML'],
] as const;

/** The run as files. */
export function Exports({ run }: { readonly run: string }) {
  return (
    <section aria-labelledby="exports">
      <h2 id="exports">Export</h2>
      <p className="row">
        {FORMATS.map(([format, title]) => (
          <a
            key={format}
            href={`/api/v1${addressOf('/runs/{run}/export', { path: { run }, query: { format } })}`}
            download
          >
            {title}
          </a>
        ))}
      </p>
    </section>
  );
}
