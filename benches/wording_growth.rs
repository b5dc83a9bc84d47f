//! Draws how many templates the texts of one game needed, from the table in docs/trials/wording.md: `cargo bench --bench wording_growth > docs/growth.svg`.
//!
//! Both axes are logarithmic, so a power of the number of texts is a straight line. The exponent is printed to the error stream.

use std::fmt::Write as _;
use std::io::Write as _;

/// The number of printed cards' texts before the first batch.
const PRINTED: f64 = 28.0;
/// The picture's size and its margin, in pixels.
const SIZE: (f64, f64, f64) = (640.0, 400.0, 48.0);

fn main() -> std::io::Result<()> {
    let points = points(include_str!("../docs/trials/wording.md"));
    let (factor, exponent) = fit(&points);
    writeln!(std::io::stderr(), "exponent {exponent:.2}")?;
    write!(std::io::stdout(), "{}", picture(&points, factor, exponent))
}

/// For each row with a number of templates: the number of texts so far, and that number. The size of a batch stands after its `of`.
fn points(page: &str) -> Vec<(f64, f64)> {
    let rows = page.lines().skip_while(|line| !line.starts_with("| batch |")).skip(2).take_while(|line| line.starts_with('|'));
    let mut texts = PRINTED;
    let mut points = Vec::new();
    for row in rows {
        let cells: Vec<&str> = row.trim_matches('|').split('|').map(str::trim).collect();
        let [batch, unaided, _, shared, own] = cells.as_slice() else { continue };
        if batch.parse::<u8>().is_ok() {
            texts += unaided.rsplit_once(" of ").and_then(|(_, all)| all.parse::<f64>().ok()).unwrap_or_default();
        }
        if let (Ok(shared), Ok(own)) = (shared.parse::<f64>(), own.parse::<f64>()) {
            points.push((texts, shared + own));
        }
    }
    points
}

/// The power that fits best: least squares of the logarithms.
fn fit(points: &[(f64, f64)]) -> (f64, f64) {
    let count = points.len() as f64;
    let logs: Vec<(f64, f64)> = points.iter().map(|(texts, templates)| (texts.ln(), templates.ln())).collect();
    let (x, y) = (logs.iter().map(|log| log.0).sum::<f64>() / count, logs.iter().map(|log| log.1).sum::<f64>() / count);
    let both: f64 = logs.iter().map(|log| (log.0 - x) * (log.1 - y)).sum();
    let alone: f64 = logs.iter().map(|log| (log.0 - x).powi(2)).sum();
    ((y - both / alone * x).exp(), both / alone)
}

fn picture(points: &[(f64, f64)], factor: f64, exponent: f64) -> String {
    let (width, height, margin) = SIZE;
    let place = |texts: f64, templates: f64| {
        let across = margin + (texts / 20.0).ln() / (500.0_f64 / 20.0).ln() * (width - 2.0 * margin);
        let up = height - margin - (templates / 200.0).ln() / (700.0_f64 / 200.0).ln() * (height - 2.0 * margin);
        (across, up)
    };
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" font-family=\"sans-serif\" font-size=\"12\">\n"
    );
    for texts in [20.0, 50.0, 100.0, 200.0, 500.0] {
        let ((x, low), (_, high)) = (place(texts, 200.0), place(texts, 700.0));
        let _ = writeln!(
            svg,
            "<path d=\"M{x:.0} {low:.0}V{high:.0}\" stroke=\"#ccc\"/><text x=\"{x:.0}\" y=\"{:.0}\">{texts} texts</text>",
            low + 16.0
        );
    }
    for templates in [200.0, 300.0, 400.0, 600.0] {
        let ((left, y), (right, _)) = (place(20.0, templates), place(500.0, templates));
        let _ = writeln!(svg, "<path d=\"M{left:.0} {y:.0}H{right:.0}\" stroke=\"#ccc\"/><text x=\"4\" y=\"{y:.0}\">{templates}</text>");
    }
    let (from, to) = (place(20.0, factor * 20.0_f64.powf(exponent)), place(500.0, factor * 500.0_f64.powf(exponent)));
    let _ = writeln!(svg, "<path d=\"M{:.0} {:.0}L{:.0} {:.0}\" stroke=\"#36c\"/>", from.0, from.1, to.0, to.1);
    for (texts, templates) in points {
        let (x, y) = place(*texts, *templates);
        let _ = writeln!(svg, "<circle cx=\"{x:.0}\" cy=\"{y:.0}\" r=\"4\"><title>{texts} texts, {templates} templates</title></circle>");
    }
    let _ = writeln!(svg, "<text x=\"{:.0}\" y=\"24\">templates = {factor:.0} × texts^{exponent:.2}</text>\n</svg>", margin + 8.0);
    svg
}
