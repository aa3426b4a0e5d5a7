import type { LargeFiles } from '../content/index.ts';
import type { Bytes } from '../platform/blobs/blob-store.ts';
import type { Database } from '../platform/database/transaction.ts';
import type { Answer } from '../platform/http/answer.ts';
import { badRequest } from '../platform/http/errors.ts';
import type { Addresses } from './addresses.ts';

interface Dependencies {
  readonly database: Database;
  readonly largeFiles: Pick<
    LargeFiles,
    'completeParts' | 'receive' | 'receivePart' | 'requireSigned' | 'requireSignedUpload' | 'serve'
  >;
  readonly addresses: Addresses;
}

interface Completion {
  readonly oid: string;
  readonly parts: readonly { readonly partNumber: number; readonly etag: string }[];
}

/** Receives and serves bytes at signed URLs. */
export function createTransfers({ database, largeFiles, addresses }: Dependencies) {
  return {
    /** Receives a file or a part; returns its entity tag. */
    async put(address: string, bytes: Bytes, length: string | undefined): Promise<string> {
      const purpose = addresses.read(address, 'put', 'part');
      const size = purpose.what === 'part' ? purpose.partSize : purpose.size;
      // A wrong announced length is refused before any byte is read.
      if (length !== undefined && Number(length) !== size)
        throw badRequest(`The body has ${length} bytes, but ${size} were announced`);
      if (purpose.what === 'part') {
        await largeFiles.requireSigned(purpose);
        return largeFiles.receivePart(purpose.upload, { number: purpose.number, size }, bytes);
      }
      await largeFiles.receive(purpose, () => largeFiles.requireSignedUpload(purpose), bytes);
      return `"${purpose.sha256}"`;
    },

    async complete(address: string, { oid, parts }: Completion): Promise<void> {
      const purpose = addresses.read(address, 'complete');
      if (oid !== purpose.sha256) throw badRequest('body.oid: is not the file that this URL is for');
      const tags = parts.map(({ partNumber, etag }) => ({ number: partNumber, etag }));
      const admit = () => largeFiles.requireSignedUpload(purpose);
      await largeFiles.completeParts(purpose, admit, { upload: purpose.upload, parts: tags });
    },

    async get(address: string, header: (name: string) => string | undefined): Promise<Answer<never>> {
      const purpose = addresses.read(address, 'get');
      await largeFiles.requireSigned({ ...purpose, permission: 'repo.content.read' });
      return largeFiles.serve(database.read, {
        ...purpose,
        header,
        headOnly: false,
        contentType: 'application/octet-stream',
        contentDisposition: 'attachment',
        headers: { 'cache-control': 'private, no-cache', 'content-security-policy': "sandbox; default-src 'none'" },
      });
    },
  };
}
