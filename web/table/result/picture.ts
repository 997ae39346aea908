/** Picture of a finished game: drawn by the server as SVG, turned into a PNG file here, and handed to other programs. */
import { requestText } from "../../api/client";

const SCALE = 2; // pixels per unit of the drawing, so that it is sharp on phones

export interface DrawnPicture {
  file: File;
  /** A data URL, which the page's content security policy allows in images. */
  url: string;
}

export async function drawPicture(
  record: string,
  game: number,
  dark: boolean,
  name: string,
): Promise<DrawnPicture> {
  const svg = await requestText("replays/picture", { body: { record, game, dark } });
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
  await image.decode();
  const canvas = document.createElement("canvas");
  canvas.width = SCALE * image.naturalWidth;
  canvas.height = SCALE * image.naturalHeight;
  canvas.getContext("2d")!.drawImage(image, 0, 0, canvas.width, canvas.height);
  const blob = await new Promise<Blob>((resolve, reject) => {
    canvas.toBlob((made) => (made ? resolve(made) : reject(new Error("the picture is empty"))), "image/png");
  });
  return { file: new File([blob], name, { type: "image/png" }), url: image.src };
}

/** Whether this browser hands files to other programs. */
export function canShareFile(file: File): boolean {
  return "canShare" in navigator && navigator.canShare({ files: [file] });
}

/** Opens the system's share dialog; somebody who closes it shares nothing. */
export async function shareFile(file: File, text: string): Promise<void> {
  await navigator.share({ files: [file], text }).catch(() => {});
}

export function saveFile(file: File): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(file);
  link.download = file.name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
