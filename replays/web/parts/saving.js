/** Saves what a theatre shows as a file. */

/** Offers it to the browser as a download. @param {import("../theatre/theatre.js").Theatre} theatre */
export async function save(theatre) {
  const { end, type, content } = await theatre.source.file();
  download(`${theatre.outline.session}.${end}`, type, content);
}

/** Offers a text to the browser as a download. @param {string} name  @param {string} type  @param {string} content */
export function download(name, type, content) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([content], { type }));
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}
