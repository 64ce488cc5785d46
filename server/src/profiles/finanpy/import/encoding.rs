//! Bytes of a statement as UTF-8: by byte order mark, else as UTF-8 where the whole file is that, else as Windows-1252.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};

use encoding_rs::{CoderResult, Decoder, Encoding, UTF_8, WINDOWS_1252};

use crate::profiles::finanpy::rules::CsvEncoding;

/// How much is read at once, in bytes.
const PIECE: usize = 64 * 1024;

/// A reader of the file's text in UTF-8, without a byte order mark.
pub fn decoded(mut file: File, rule: CsvEncoding) -> io::Result<Decoded<File>> {
    let encoding = match rule {
        CsvEncoding::Detected => detect(&mut file)?,
        CsvEncoding::Windows1252 => WINDOWS_1252,
    };
    file.seek(SeekFrom::Start(0))?;
    Ok(Decoded::new(file, encoding))
}

fn detect(file: &mut impl Read) -> io::Result<&'static Encoding> {
    let mut buffer = vec![0; PIECE];
    // Bytes of a character that the end of a piece cut through stay at the front.
    let mut kept = 0;
    let mut first = true;
    loop {
        let read = match file.read(&mut buffer[kept..]) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            read => read?,
        };
        let filled = kept + read;
        if first
            && filled >= 2
            && let Some((encoding, _)) = Encoding::for_bom(&buffer[..filled])
        {
            return Ok(encoding);
        }
        first = first && filled < 2;
        if read == 0 {
            return Ok(if kept == 0 { UTF_8 } else { WINDOWS_1252 });
        }
        kept = match std::str::from_utf8(&buffer[..filled]) {
            Ok(_) => 0,
            Err(error) if error.error_len().is_none() => {
                buffer.copy_within(error.valid_up_to()..filled, 0);
                filled - error.valid_up_to()
            }
            Err(_) => return Ok(WINDOWS_1252),
        };
    }
}

/// Text of a reader in UTF-8.
pub struct Decoded<R> {
    source: R,
    decoder: Decoder,
    input: Vec<u8>,
    /// What of `input` is not decoded yet.
    waiting: std::ops::Range<usize>,
    ended: bool,
    output: String,
    given: usize,
}

impl<R: Read> Decoded<R> {
    fn new(source: R, encoding: &'static Encoding) -> Self {
        Self {
            source,
            decoder: encoding.new_decoder_with_bom_removal(),
            input: vec![0; PIECE],
            waiting: 0..0,
            ended: false,
            output: String::with_capacity(PIECE),
            given: 0,
        }
    }

    fn decode_more(&mut self) -> io::Result<()> {
        self.output.clear();
        self.given = 0;
        while self.output.is_empty() {
            if self.waiting.is_empty() && !self.ended {
                let read = self.source.read(&mut self.input)?;
                self.waiting = 0..read;
                self.ended = read == 0;
            }
            let (result, read, _) = self.decoder.decode_to_string(
                &self.input[self.waiting.clone()],
                &mut self.output,
                self.ended,
            );
            self.waiting.start += read;
            if self.ended && result == CoderResult::InputEmpty {
                return Ok(());
            }
        }
        Ok(())
    }
}

impl<R: Read> Read for Decoded<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.given == self.output.len() {
            if self.ended && self.waiting.is_empty() {
                return Ok(0);
            }
            self.decode_more()?;
        }
        let rest = &self.output.as_bytes()[self.given..];
        let count = rest.len().min(buffer.len());
        buffer[..count].copy_from_slice(&rest[..count]);
        self.given += count;
        Ok(count)
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use super::*;

    fn read(bytes: &[u8], rule: CsvEncoding) -> String {
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(bytes).unwrap();
        file.seek(SeekFrom::Start(0)).unwrap();
        let mut text = String::new();
        decoded(file, rule)
            .unwrap()
            .read_to_string(&mut text)
            .unwrap();
        text
    }

    #[test]
    fn every_encoding_becomes_the_same_text() {
        let text = "Descrição,São João — €\n";
        let utf16: Vec<u8> = [0xff, 0xfe]
            .into_iter()
            .chain(text.encode_utf16().flat_map(u16::to_le_bytes))
            .collect();
        let windows = WINDOWS_1252.encode(text).0.into_owned();
        let marked = format!("\u{feff}{text}");
        for bytes in [text.as_bytes(), marked.as_bytes(), &windows, &utf16] {
            assert_eq!(read(bytes, CsvEncoding::Detected), text);
        }
        assert!(read(text.as_bytes(), CsvEncoding::Windows1252).contains("Ã§Ã£o"));
        assert_eq!(read(b"", CsvEncoding::Detected), "");
    }

    #[test]
    fn one_late_byte_decides_and_pieces_do_not_cut_characters() {
        let long = "ã".repeat(PIECE) + "x" + &"é".repeat(PIECE);
        assert_eq!(read(long.as_bytes(), CsvEncoding::Detected), long);
        let mut late = vec![b'a'; 3 * PIECE];
        late.push(0xe7);
        assert!(read(&late, CsvEncoding::Detected).ends_with("aaaç"));
    }
}
