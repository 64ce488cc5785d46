//! Two processes of one target on one store, behind one address that gives each request to the other one in turn.

use super::launcher::{Running, data_folder, endpoint};
use super::{LaunchOptions, Launcher, TargetError};
use crate::{
    mocks::Mocks,
    saboteur::{Context, Defect, Sabotage, Seat},
};

impl Launcher {
    /// Starts the target twice on the same data folder and puts a proxy before both, which is bound first: both processes
    /// call themselves by its address.
    pub(super) async fn start_twice(
        &self,
        mocks: Option<&Mocks>,
        options: &LaunchOptions,
    ) -> Result<Running, TargetError> {
        let seat = Seat::bind().await.map_err(|source| TargetError::System {
            doing: "binding a port for the proxy",
            source,
        })?;
        let address = endpoint(seat.address().port())?;
        let (data, folder) = data_folder(options)?;
        let each = LaunchOptions {
            data: Some(data),
            resource: Some(options.resource.clone().unwrap_or_else(|| address.clone())),
            own_process: true,
            two_processes: false,
            sabotage: None,
            port: None,
            ..options.clone()
        };
        let first = self.start_healthy(mocks, &each).await?;
        let second = self.start_healthy(mocks, &each).await?;
        let nothing_wrong = Sabotage::new(Defect::none());
        let upstream = [&first.target().endpoint, &second.target().endpoint];
        let proxy = seat
            .stand_before(&upstream, &nothing_wrong, Context { forge: None })
            .map_err(|error| TargetError::Reference(error.to_string()))?;
        Ok(first.joined_by(second, address, proxy, folder))
    }
}
