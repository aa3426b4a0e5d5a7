/** A file to upload. */
export interface ChosenFile {
  /** The path below the folder of the upload. */
  readonly path: string;
  readonly file: File;
}

/** Returns files that a file dialog returned, those of a chosen folder with the folder in their paths. */
export const chosenFiles = (files: readonly File[]): ChosenFile[] =>
  files.map((file) => ({ path: file.webkitRelativePath || file.name, file })).filter(isUploadable);

/** Returns dropped files, those of dropped folders with the folders in their paths. */
export async function droppedFiles(items: DataTransferItemList): Promise<ChosenFile[]> {
  // Browsers empty the list after the event, so all entries are taken before the first wait.
  const entries = [...items].map((item) => item.webkitGetAsEntry()).filter((entry) => entry !== null);
  const files = await Promise.all(entries.map(filesIn));
  return files.flat().filter(isUploadable);
}

async function filesIn(entry: FileSystemEntry): Promise<ChosenFile[]> {
  if (isFile(entry)) {
    const file = await new Promise<File>((resolve, reject) => entry.file(resolve, reject));
    return [{ path: entry.fullPath.replace(/^\//, ''), file }];
  }
  if (!isFolder(entry)) return [];
  const reader = entry.createReader();
  const files: ChosenFile[] = [];
  for (;;) {
    // Chromium returns at most 100 entries at a time.
    const entries = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (entries.length === 0) return files;
    for (const each of entries) files.push(...(await filesIn(each)));
  }
}

const isFile = (entry: FileSystemEntry): entry is FileSystemFileEntry => entry.isFile;
const isFolder = (entry: FileSystemEntry): entry is FileSystemDirectoryEntry => entry.isDirectory;

/** The hub refuses paths inside a `.git` folder, which working copies have. */
const isUploadable = ({ path }: ChosenFile): boolean => !path.split('/').includes('.git');
