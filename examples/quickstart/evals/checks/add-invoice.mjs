// Set-up of a workspace: puts one more invoice into the inbox, made from the test's metadata.
// assay writes { workspace_path, test_id, case_input, case_metadata, ... } to stdin.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const { workspace_path: folder, case_metadata: invoice } = JSON.parse(readFileSync(0, 'utf8'));
const { number, vendor, total } = invoice;
writeFileSync(
  join(folder, 'inbox/added.txt'),
  `From: ${vendor}\nInvoice number: ${number}\nDate: 2026-06-19\nTotal: $${total.toFixed(2)}\n`,
);
